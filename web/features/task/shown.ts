/** What the parts of a task's page are given. */
import type { Execution, Project, Task } from '../../../core/rest/client/client.ts'
import type { HumanTrigger } from '../../../core/task/transitions.ts'
import type { AttemptsState } from '../../api/task-details.ts'
import type { TaskTab } from './search.ts'
import type { ShownWork } from './use-shown-work.ts'
import type { TaskDecisions } from './use-task-decisions.ts'

export interface TaskViewProps {
  readonly taskId: string
  /** Undefined: the one that suits the task. */
  readonly tab: TaskTab | undefined
  readonly onTab: (tab: TaskTab) => void
  /** The decision that is brought into sight. */
  readonly action?: HumanTrigger | undefined
  readonly isPanel?: boolean
}

/** What the tabs of a task show. */
export interface TaskShown {
  readonly task: Task
  readonly project: Project | undefined
  readonly attempts: AttemptsState
  readonly decisions: TaskDecisions
  /** Whose diff is shown. */
  readonly work: ShownWork
  readonly onTab: (tab: TaskTab) => void
  readonly isWide: boolean
}

/** The run that the task stands for now. */
export function findLastRun({ task, attempts }: Pick<TaskShown, 'task' | 'attempts'>): Execution | undefined {
  return attempts.attempts.find(({ execution }) => execution.id === task.execution_id)?.execution
}
