import type { Task } from '../../core/crd/types.ts'
import { InvalidRequest } from '../../core/errors.ts'
import { stateOf } from '../../core/task/decide.ts'
import { openDependencies } from '../../core/task/dependencies.ts'
import type { Caller } from '../access.ts'
import type { ApiContext } from '../context.ts'
import { runTask } from '../decisions.ts'
import type { ScriptEnd } from './process.ts'

/** Exit code of `nothing to start` (decisions, section 5). */
const NOTHING_TO_START = 3

/**
 * The script start-next-task: queues the PENDING task with the lowest priority, of those the oldest, whose dependencies
 * are satisfied, and prints its id. `AGENT` is `auto` or the name of an agent.
 *
 * @throws InvalidRequest for an agent that does not exist
 */
export async function startNextTask(
  context: ApiContext,
  { AGENT: agent = 'auto' }: Readonly<Record<string, string>>,
  caller: Caller,
): Promise<ScriptEnd> {
  const { agents, tasks, taskIndex } = context.caches
  if (agent !== 'auto' && (await agents.read(agent)) === undefined)
    throw new InvalidRequest(`agent: agent ${agent} does not exist`)
  const next = findNext(tasks.list().filter((task) => openDependencies(task, taskIndex).length === 0))
  if (next === undefined) return { exitCode: NOTHING_TO_START, stdout: '', stderr: 'nothing to start\n' }
  const id = next.metadata.name
  await runTask(context, { id, action: 'run', caller, details: agent === 'auto' ? {} : { agent } })
  return { exitCode: 0, stdout: `${id}\n`, stderr: '' }
}

function findNext(tasks: readonly Task[]): Task | undefined {
  const waiting = tasks.filter((task) => stateOf(task) === 'PENDING' && task.spec.suspend !== true)
  return waiting.toSorted(comparePrecedence)[0]
}

function comparePrecedence(a: Task, b: Task): number {
  const byPriority = (a.spec.priority ?? 0) - (b.spec.priority ?? 0)
  const [older, younger] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`)
  return byPriority || ((older ?? '') < (younger ?? '') ? -1 : 1)
}
