/** Waiting for tasks, as scripts do. */
import type { Task } from '../../core/rest/client/client.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import { type ClientCommand, type ClientInvocation, readDurationMs } from '../client-command.ts'
import { goesOn } from '../../core/attention.ts'
import { POLL_MS, retryWhileAway, waitingLine } from '../client/follow.ts'
import { EXIT_CODES, WAITED_TOO_LONG } from '../client/outcome.ts'
import { print } from '../client/output.ts'
import { withProgress } from '../client/progress.ts'
import { oneLine } from '../client/text.ts'
import { readState } from './tasks.ts'

type State = Task['state']

export const waitCommand: ClientCommand = {
  kind: 'client',
  name: 'wait',
  summary: 'Wait until tasks have come to rest, or are in a state',
  prints: 'task',
  details: [
    'Ends when no task goes on by itself, and with --for when each is in one of the states, or in one that it cannot leave',
    'for them without a person: FAILED, TIMED_OUT, CANCELLED, BUDGET_EXCEEDED. The exit code is that of run -f, of the first',
    'task that is not as wanted; 8 when the time of --timeout is over.',
  ].join('\n'),
  examples: ['slipway wait add-login --for READY --timeout 10m'],
  words: [{ name: 'task', isRepeated: true, mayBeShort: true }],
  flags: [
    { name: 'for', value: 'states', description: 'Such as READY or READY,COMPLETED' },
    { name: 'timeout', value: 'duration', description: 'Such as 90s or 10m; default: no end' },
  ],
  async run(invocation) {
    const { values, session, terminal } = invocation
    const wanted = readStates(values.get('for'))
    const timeout = values.get('timeout')
    const endsAt = systemClock.now().getTime() + (timeout === undefined ? Infinity : readDurationMs('timeout', timeout))
    const ended = await waitForAll(invocation, { wanted, endsAt })
    if (ended === undefined) return WAITED_TOO_LONG
    const [only] = ended
    print(terminal, session.form, ended.length === 1 && only !== undefined ? only : ended, () =>
      ended.map(({ id, state }) => `${id} ${state}\n`).join(''),
    )
    return ended.map((task) => codeOf(task, wanted)).find((code) => code !== 0) ?? 0
  },
}

interface Goal {
  /** Empty: wherever it rests. */
  readonly wanted: readonly State[]
  /** Milliseconds since 1970. */
  readonly endsAt: number
}

/** Undefined when the time is over, which is told. */
async function waitForAll(invocation: ClientInvocation, goal: Goal): Promise<readonly Task[] | undefined> {
  const { session, terminal } = invocation
  const ids = [...new Set(invocation.words)]
  const ended: Task[] = []
  let last: Task | undefined
  const line = (elapsed: string): string => {
    const which = ids.length === 1 ? '' : `${ended.length + 1} of ${ids.length}, `
    return last === undefined ? `waiting, ${elapsed}` : waitingLine(last, `${which}${elapsed}`)
  }
  return withProgress({ terminal, form: session.form, clock: systemClock }, line, async (progress) => {
    for (const id of ids) {
      const see = (task: Task): void => void (last = task)
      const task = await waitFor({ ...invocation, terminal: progress.terminal }, id, goal, see)
      if (task === undefined) return undefined
      ended.push(task)
    }
    return ended
  })
}

/** Undefined when the time is over, which is told. @param see gets the task each time that it is read */
async function waitFor(
  { session, terminal, signal }: ClientInvocation,
  id: string,
  { wanted, endsAt }: Goal,
  see: (task: Task) => void,
): Promise<Task | undefined> {
  for (;;) {
    const ask = () => session.api.getTask({ params: { id } }, { signal })
    const task = await retryWhileAway({ clock: systemClock, signal, terminal }, ask)
    see(task)
    if (isOver(task, wanted)) return task
    if (systemClock.now().getTime() >= endsAt) {
      const { state, waiting_for: why } = task
      terminal.err(`${id} is ${state}${why === undefined ? '' : ` (${oneLine(why, 2000)})`} when the time is over\n`)
      return undefined
    }
    await delay(systemClock, POLL_MS, signal)
    signal.throwIfAborted()
  }
}

/** States that only a person leads out of. */
const LOST: readonly State[] = ['FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED']

function isOver(task: Task, wanted: readonly State[]): boolean {
  if (wanted.length === 0) return task.state === 'BLOCKED' || !goesOn(task)
  return wanted.includes(task.state) || (LOST.includes(task.state) && !goesOn(task))
}

function codeOf({ state }: Task, wanted: readonly State[]): number {
  return wanted.includes(state) ? 0 : EXIT_CODES[state]
}

function readStates(text: string | undefined): State[] {
  return text === undefined ? [] : text.split(',').map((state) => readState('for', state))
}
