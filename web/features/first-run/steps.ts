/** Where the guide of an empty installation stands: pure. */
import { withoutTyped } from '../../../core/typed-commands.ts'
import { failureWords } from '../../model/failure-words.ts'
import type { Agent, Project, Task } from '../../../core/rest/client/client.ts'

export type Step = 'repository' | 'agent' | 'task' | 'watch'

export const STEPS: readonly { readonly id: Step; readonly label: string }[] = [
  { id: 'repository', label: 'Repository' },
  { id: 'agent', label: 'Agent' },
  { id: 'task', label: 'Task' },
  { id: 'watch', label: 'Watch it' },
]

/** The first step that is not done. What was chosen counts only while it exists. */
export function stepOf(chosen: {
  readonly project: Project | undefined
  readonly agent: Agent | undefined
  readonly task: Task | undefined
}): Step {
  if (chosen.task !== undefined) return 'watch'
  if (chosen.project === undefined) return 'repository'
  return chosen.agent === undefined ? 'agent' : 'task'
}

/** What the script agent is given as a first task, and what an agent that writes code is. */
export function firstTask(adapter: Agent['adapter']): { readonly name: string; readonly text: string } {
  return adapter === 'script'
    ? { name: 'Say hello', text: 'echo "Hello from Slipway" > HELLO.txt' }
    : { name: 'Add a CHANGELOG', text: 'Add a file CHANGELOG.md with a first entry that says what this repository is.' }
}

/** What comes next, by the state of the first task. */
export function nextWords(task: Pick<Task, 'state' | 'waiting_for' | 'error' | 'question'>): string {
  switch (task.state) {
    case 'PENDING':
      return 'It has not been started.'
    case 'QUEUED':
      return task.waiting_for === undefined
        ? 'It is queued, and starts in a moment.'
        : `It is queued: ${withoutTyped(task.waiting_for)}.`
    case 'RUNNING':
      return 'The agent is at work in a clone of the repository. Nothing of yours changes until you accept.'
    case 'READY':
      return 'The work is ready and waits for you: look at what changed, then accept it or ask for changes.'
    case 'BLOCKED':
      return task.question === undefined
        ? `It goes on by itself, and ${withoutTyped(task.waiting_for ?? 'waits for its subtasks')}.`
        : 'The agent asks, and goes on in the same session with your answer.'
    case 'COMPLETED':
      return 'Accepted. From here on new work begins with New task, and what needs you stands in the inbox.'
    case 'FAILED':
    case 'TIMED_OUT':
    case 'BUDGET_EXCEEDED':
      return failureWords(task.error ?? 'It failed.')
    case 'CANCELLED':
      return 'It was cancelled.'
    default:
      return task.state satisfies never
  }
}
