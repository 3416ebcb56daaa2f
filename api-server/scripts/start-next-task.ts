import type { Task } from '../../core/crd/types.ts'
import { apiError, isApiError } from '../../core/errors.ts'
import { stateOf } from '../../core/task/decide.ts'
import { openDependencies } from '../../core/task/dependencies.ts'
import type { Caller } from '../auth/access.ts'
import { type DecisionContext, type DecisionRequest, decide, isRunnable } from '../commands/decide-task.ts'
import type { ScriptEnd } from './process.ts'

/** Exit code of `nothing to start` (specification §8.27). */
const NOTHING_TO_START = 3

/** What a run may say of a task that was startable a moment ago. */
const PASSED_OVER = ['invalid_request', 'not_found', 'transition_refused'] as const

/**
 * The script start-next-task: queues the PENDING task with the lowest priority, of those the oldest, whose dependencies
 * are satisfied and that `AGENT` may run, and prints its id. `AGENT` is `auto` or the name of an agent.
 *
 * @throws ApiError `invalid_request` for an agent that does not exist
 */
export async function startNextTask(
  context: DecisionContext,
  { AGENT: agent = 'auto' }: Readonly<Record<string, string>>,
  caller: Caller,
): Promise<ScriptEnd> {
  if (agent !== 'auto' && (await context.caches.agents.read(agent)) === undefined)
    throw apiError('invalid_request', `agent: agent ${agent} does not exist`)
  const wish = { caller, details: agent === 'auto' ? {} : { agent } }
  for (const { metadata } of findStartable(context, wish).toSorted(comparePrecedence)) {
    if (await start(context, { ...wish, id: metadata.name, action: 'run' }))
      return { exitCode: 0, stdout: `${metadata.name}\n`, stderr: '' }
  }
  return { exitCode: NOTHING_TO_START, stdout: '', stderr: 'nothing to start\n' }
}

/** What a run would refuse is passed over, so that no task keeps those behind it from their turn. */
function findStartable(context: DecisionContext, wish: Omit<DecisionRequest, 'id' | 'action'>): readonly Task[] {
  const { tasks, taskIndex } = context.caches
  return tasks.list().filter((task) => {
    const isWaiting = stateOf(task) === 'PENDING' && task.spec.suspend !== true
    return isWaiting && openDependencies(task, taskIndex).length === 0 && isRunnable(context, task, wish)
  })
}

/** False when somebody else started, changed or deleted the task meanwhile: then the next one's turn has come. */
async function start(context: DecisionContext, request: DecisionRequest): Promise<boolean> {
  try {
    await decide(context, request)
    return true
  } catch (error) {
    if (isApiError(error, ...PASSED_OVER)) return false
    throw error
  }
}

function comparePrecedence(a: Task, b: Task): number {
  const byPriority = (a.spec.priority ?? 0) - (b.spec.priority ?? 0)
  const [older, younger] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`)
  return byPriority || ((older ?? '') < (younger ?? '') ? -1 : 1)
}
