/**
 * The checks of a run that goes on, which only its execution tells, and how long each took the last time: in an earlier
 * round, else in the work of the project that was checked last. The latter is looked up once for a version of a task.
 */
import type { CheckRun, Task } from '../../core/crd/types.ts'
import type { TaskRecord } from '../../core/kinds/task.ts'
import { toCheckRecord } from '../../core/rest/map/checks.ts'
import { stateOf } from '../../core/task/decide.ts'
import type { Caches } from '../cache/caches.ts'

interface RunningChecks {
  /** Those of the round that it is in. */
  runningOf(task: Task, execution: string): { readonly checks?: NonNullable<TaskRecord['checks']> }
}

export function followChecks({
  executions,
  tasksOfProject,
}: Pick<Caches, 'executions' | 'tasksOfProject'>): RunningChecks {
  const known = new WeakMap<Task, ReadonlyMap<string, number>>()
  const lastOf = (task: Task): ReadonlyMap<string, number> => {
    const last = known.get(task) ?? lastSeconds(tasksOfProject(task.spec.project ?? ''))
    known.set(task, last)
    return last
  }
  return {
    runningOf(task, execution) {
      if (stateOf(task) !== 'RUNNING') return {}
      const { checks = [], rounds = 1 } = executions.find(execution)?.status ?? {}
      const current = checks.filter(({ round }) => round === rounds)
      if (current.length === 0) return {}
      const secondsOf = ({ name, state }: CheckRun): number | undefined =>
        state === 'Running'
          ? (checks.findLast((one) => one.name === name && one.seconds !== undefined)?.seconds ??
            lastOf(task).get(name))
          : undefined
      return { checks: current.map((check) => toCheckRecord(check, secondsOf(check))) }
    },
  }
}

/** How long each check took that ended last, by its name. */
function lastSeconds(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const last = new Map<string, { readonly startedAt: string; readonly seconds: number }>()
  for (const { status } of tasks)
    for (const { name, startedAt = '', seconds } of status?.checks ?? [])
      if (seconds !== undefined && startedAt >= (last.get(name)?.startedAt ?? ''))
        last.set(name, { startedAt, seconds })
  return new Map([...last].map(([name, { seconds }]) => [name, seconds]))
}
