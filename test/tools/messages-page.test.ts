import assert from 'node:assert/strict'
import { type WaitingFacts, findWait } from '../../core/agent/waiting.ts'
import { TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import type { TaskSpec, TaskState } from '../../core/crd/types.ts'
import { type HumanTrigger, findNextState } from '../../core/task/transitions.ts'
import { DECISION_TYPED } from '../../core/typed-commands.ts'
import { renderMessagesPage } from '../../tools/messages-page.ts'
import { aStory, aTask, anAgent } from '../helpers/build.ts'

/** The command of each decision, by its first words: `slipway restart`. */
const TRIGGERS = new Map(
  Object.entries(DECISION_TYPED).map(([trigger, typed]) => [typed('').split(' ')[1] ?? '', trigger]),
)

const ENDED = ['FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED'] as const satisfies TaskState[]

const CALM: WaitingFacts = {
  now: new Date('2026-03-01T10:00:00Z'),
  agent: anAgent(),
  hasProject: true,
  openDependencies: [],
  openSubtasks: [],
  mayStillRun: false,
  hasOrphans: false,
}

/** Facts and specs that bring about each reason. */
const WORLDS: readonly [Partial<WaitingFacts>, Partial<TaskSpec>][] = [
  [{ openDependencies: [{ name: 'gone' }] }, {}],
  [{ hasProject: false }, { project: 'gone' }],
  [{ agent: undefined }, { agent: { type: 'gone' } }],
  [{ cycle: ['a', 'b'] }, {}],
  [{ story: aStory({ status: { status: 'DONE' } }) }, { runPolicy: 'Auto' }],
  [{}, { suspend: true }],
  [{ openDependencies: [{ name: 'other', state: 'FAILED' }] }, {}],
  [{ openSubtasks: [{ name: 'other', state: 'FAILED' }] }, {}],
  [{}, {}],
  [{ mayStillRun: true }, {}],
  [{ branchWriter: 'branch b is written by a' }, {}],
]

/** The states in which a task waits for each reason. */
function waitingStates(): ReadonlyMap<string, ReadonlySet<TaskState>> {
  const found = new Map<string, Set<TaskState>>()
  for (const state of TASK_STATE_VALUES)
    for (const resumeAfter of [undefined, '2026-03-01T11:00:00Z'])
      for (const [facts, spec] of WORLDS) {
        const status = { state, ...(resumeAfter && { resumeAfter }) }
        const wait = findWait(aTask({ name: 't', spec, status }), { ...CALM, ...facts })
        if (wait !== undefined) found.set(wait.reason, (found.get(wait.reason) ?? new Set()).add(state))
      }
  return found
}

interface Offer {
  readonly trigger: HumanTrigger
  /** The states that the page names beside the command. */
  readonly states: readonly TaskState[]
}

/** The decisions about the task itself that a cell of the page offers. */
function offersIn(cell: string): Offer[] {
  return [...cell.matchAll(/`slipway (\w+) <task>[^`]*`(?:, of ([A-Z_]+(?:(?:, | and )[A-Z_]+)*))?/g)].flatMap(
    ([, command = '', states = '']) => {
      const trigger = TRIGGERS.get(command)
      if (trigger === undefined) return []
      return [{ trigger: trigger as HumanTrigger, states: (states.match(/[A-Z_]+/g) ?? []) as TaskState[] }]
    },
  )
}

/** What checks hold back has failed. */
const FAILED = ['FAILED'] as const

const rows = renderMessagesPage()
  .split('\n')
  .flatMap((line) => (line.startsWith('| `') ? [line.split('|').map((cell) => cell.trim())] : []))

describe('the page about what a waiting or failed task says', () => {
  const waiting = waitingStates()

  it('offers no decision about a waiting task that its states forbid', () => {
    const refused = rows.flatMap(([, name = '', ...cells]) => {
      const states = waiting.get(name.replaceAll('`', ''))
      return offersIn(cells.join(' ')).flatMap((offer) =>
        [...(offer.states.length > 0 ? offer.states : (states ?? (name === '`checks`' ? FAILED : ENDED)))]
          .filter((state) => findNextState(state, offer.trigger) === undefined)
          .map((state) => `${name} offers ${offer.trigger} of a ${state} task`),
      )
    })
    assert.deepEqual(refused, [])
    assert.ok(rows.flatMap((cells) => offersIn(cells.join(' '))).length > 5, 'there are offers')
  })

  it('names only states that a task can wait in for that reason', () => {
    for (const [, name = '', ...cells] of rows)
      for (const { states } of offersIn(cells.join(' ')))
        for (const state of states) assert.ok(waiting.get(name.replaceAll('`', ''))?.has(state), `${name} of ${state}`)
  })

  it('restarts by name only what has ended or was never run', () => {
    for (const state of ['PENDING', ...ENDED] as const) assert.ok(findNextState(state, 'run') !== undefined, state)
  })
})
