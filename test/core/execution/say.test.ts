import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { AGENT_ADAPTER_VALUES, MESSAGE_MODE_VALUES, TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { AgentMessage, Execution, ExecutionPhase, ExecutionStatus } from '../../../core/crd/types.ts'
import { messageModesOf } from '../../../core/agent/message-modes.ts'
import {
  type Addressee,
  type Saying,
  isWaiting,
  MAX_MESSAGES,
  MAX_MESSAGES_BYTES,
  MAX_WAITING_MESSAGES,
  messageModesNow,
  say,
} from '../../../core/execution/say.ts'
import { toToldFields } from '../../../core/rest/map/told.ts'
import { utf8Length } from '../../../core/text.ts'
import { addMs } from '../../../core/time.ts'
import { aTask, anAgent, anExecution, text, unclipped } from '../../helpers/build.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const SAID: Saying = { id: 'message1', by: 'ada', at: AT, text: 'Use the new API.' }

const running = (status: ExecutionStatus = {}, adapter: 'claude' | 'codex' | 'script' = 'claude'): Addressee => ({
  task: aTask({ status: { state: 'RUNNING', execution: 'task-a-1' } }),
  execution: anExecution({ spec: { agent: adapter }, status: { state: 'RUNNING', ...status } }),
  agent: anAgent({ name: adapter, spec: { adapter } }),
})

function answer(addressee: Addressee, saying: Partial<Saying> = {}): string {
  const outcome = say(addressee, { ...SAID, ...saying })
  if (outcome.kind === 'refused') return `${outcome.error.status} ${outcome.error.message}`
  const [{ mode, by, at } = unclipped<AgentMessage>({ id: '', at: '', mode: 'Queue', text: '' })] =
    outcome.status.messages?.slice(-1) ?? []
  return [mode, by, at].join(' ')
}

const message = (n: number, more: Partial<AgentMessage> = {}): AgentMessage => ({
  id: `older${String(n).padStart(4, '0')}`,
  at: '2025-12-31T00:00:00.000000Z',
  mode: 'Queue',
  text: text('x'),
  ...more,
})
const messages = (count: number, more: Partial<AgentMessage> = {}): readonly AgentMessage[] =>
  Array.from({ length: count }, (_, n) => message(n, more))
const GIVEN = { deliveredAt: '2025-12-31T00:00:01Z' }

describe('a message to a running agent', () => {
  it('is kept with who said it and when, in the most prompt mode that stops nothing', () => {
    assert.equal(answer(running()), 'Steer ada 2026-01-01T00:00:00.000000Z')
    assert.equal(answer(running({}, 'codex')), 'Queue ada 2026-01-01T00:00:00.000000Z')
    assert.equal(answer(running(), { mode: 'Interrupt' }), 'Interrupt ada 2026-01-01T00:00:00.000000Z')
  })

  const cancelled = aTask({
    status: { state: 'RUNNING', execution: 'task-a-1', cancelRequestedAt: '2026-01-01T00:00:00Z' },
  })
  for (const [title, addressee, saying, refusal] of [
    [
      'a task that waits',
      { ...running(), task: aTask({ status: { state: 'QUEUED' } }) },
      {},
      '409 task cannot be told anything from state QUEUED',
    ],
    [
      'a task that is being cancelled',
      { ...running(), task: cancelled },
      {},
      '409 task cannot be told anything: it is being cancelled',
    ],
    [
      'a run that has ended',
      running({ state: 'COMPLETED' }),
      {},
      '409 task cannot be told anything: its run has just ended',
    ],
    [
      'a run that is gone',
      { ...running(), execution: undefined },
      {},
      '409 task cannot be told anything: its run has just ended',
    ],
    [
      'an agent that is gone',
      { ...running(), agent: undefined },
      {},
      '409 task cannot be told anything: its agent claude does not exist any more',
    ],
    [
      'a script',
      running({}, 'script'),
      {},
      '409 task cannot be told anything: its agent script runs a script, which takes no messages',
    ],
    [
      'an agent that takes no such mode',
      running({}, 'codex'),
      { mode: 'Steer' },
      '409 task cannot be told anything: its agent codex takes messages in mode queue alone',
    ],
    ['nothing', running(), { text: ' \n' }, '400 text must not be empty'],
    ['a text that is too long', running(), { text: 'é'.repeat(4097) }, '400 text has 8194 bytes, more than 8192'],
    [
      'one more than can wait',
      running({ messages: messages(MAX_WAITING_MESSAGES) }),
      {},
      '409 task cannot be told anything: 20 messages wait for the agent already; wait until it was given one of them',
    ],
    [
      'one more than a run takes',
      running({ messages: messages(MAX_MESSAGES, GIVEN) }),
      {},
      '409 task cannot be told anything: 100 messages were sent in this run, and it takes no more',
    ],
    [
      'more text than a run takes',
      running({ messages: messages(16, { ...GIVEN, text: text('x'.repeat(8192)) }) }),
      {},
      '409 task cannot be told anything: the messages of this run would have more than 128 KiB together',
    ],
  ] satisfies [string, Addressee, Partial<Saying>, string][])
    it(`is refused for ${title}`, () => {
      assert.equal(answer(addressee, saying), refusal)
    })

  describe('whose agent has done its part', () => {
    const phases = (...names: readonly string[]): readonly ExecutionPhase[] =>
      names.map((name, n) => ({
        name,
        startedAt: '2026-01-01T00:00:00Z',
        ...(n < names.length - 1 || name === 'agent' ? { finishedAt: '2026-01-01T00:00:01Z' } : {}),
      }))
    const waived = { reason: text('known'), at: '2026-01-01T00:00:00Z' }
    const given = running()
    const deliveryAlone = { ...given, execution: anExecution({ spec: { agent: 'claude', checksWaived: waived } }) }
    for (const [title, addressee, work] of [
      ['has ended its step', running({ phases: phases('prepare', 'agent') }), 'delivered'],
      ['has its work staged', running({ phases: phases('prepare', 'agent', 'stage') }), 'checked'],
      ['has its work checked', running({ phases: phases('prepare', 'agent', 'stage', 'checks') }), 'checked'],
      ['has its work delivered', running({ phases: phases('prepare', 'agent', 'deliver') }), 'delivered'],
      ['had succeeded before a delivery that is repeated', running({ agentOutcome: 'succeeded' }), 'delivered'],
      ['had asked before a delivery that is repeated', running({ agentOutcome: 'blocked' }), 'delivered'],
      ['is left out by a person', deliveryAlone, 'delivered'],
    ] satisfies [string, Addressee, string][])
      it(`is refused with the way out, and no mode is offered, when it ${title}`, () => {
        assert.match(
          answer(addressee),
          new RegExp(
            `^409 task cannot be told anything: its agent has done its part, and the work is being ${work}: ask for changes \\(revise\\)`,
          ),
        )
        assert.deepEqual(messageModesNow(addressee), [])
      })

    for (const [title, status] of [
      ['has yet to begin', { phases: phases('prepare') }],
      ['works', { phases: [{ name: 'prepare' }, { name: 'agent' }] }],
      ['begins a round', { rounds: 2, phases: [] }],
      ['logs in once more', { agentOutcome: 'failed', authRetried: true, phases: [] }],
    ] satisfies [string, ExecutionStatus][])
      it(`is taken when it ${title}`, () => assert.match(answer(running(status)), /^Steer/))
  })

  it('that nobody knows the agent has does not wait', () => {
    const uncertain = messages(MAX_WAITING_MESSAGES, { uncertain: true })
    assert.match(answer(running({ messages: uncertain })), /^Steer ada/)
  })

  it('is added once, however often it is said: also when the run has ended meanwhile', () => {
    const addressee = running()
    const first = say(addressee, SAID)
    assert.ok(first.kind === 'allowed')
    const execution: Execution = { ...first.execution, status: { ...first.status, state: 'COMPLETED' } }
    const again = say({ ...addressee, execution }, SAID)
    assert.ok(again.kind === 'allowed')
    assert.equal(again.status, execution.status)
  })

  it('comes after those before it, whatever the clock says', () => {
    const after = running({ messages: [message(1, { at: '2026-01-01T00:00:05.000000Z', ...GIVEN })] })
    assert.equal(answer(after), 'Steer ada 2026-01-01T00:00:05.001000Z')
  })

  it('steers and interrupts what speaks ACP where a prompt joins its turn, and else waits for the end of it', () => {
    const to = (acp: object) =>
      messageModesNow({ ...running(), agent: anAgent({ spec: { adapter: 'acp', command: ['x'], acp } }) })
    assert.deepEqual([to({}), to({ secondPrompt: 'Joins' })], [['Queue'], ['Queue', 'Steer', 'Interrupt']])
  })

  it('is offered in the modes in which it is taken, and in no other', () => {
    const states = fc.constantFrom(...TASK_STATE_VALUES)
    const adapters = fc.constantFrom(...AGENT_ADAPTER_VALUES)
    const modes = fc.constantFrom(...MESSAGE_MODE_VALUES)
    fc.assert(
      fc.property(
        states,
        adapters,
        modes,
        fc.boolean(),
        fc.boolean(),
        (state, adapter, mode, isCancelled, hasEnded) => {
          const addressee: Addressee = {
            task: aTask({
              status: {
                state,
                execution: 'task-a-1',
                ...(isCancelled && { cancelRequestedAt: '2026-01-01T00:00:00Z' }),
              },
            }),
            execution: anExecution({ status: { state: hasEnded ? 'COMPLETED' : 'RUNNING' } }),
            agent: anAgent({ spec: { adapter } }),
          }
          const offered = messageModesNow(addressee)
          assert.equal(say(addressee, { ...SAID, mode }).kind === 'allowed', offered.includes(mode))
          const isOpen = state === 'RUNNING' && !isCancelled && !hasEnded
          assert.deepEqual(offered, isOpen ? messageModesOf({ adapter }) : [])
        },
      ),
    )
  })

  it('leaves a run within its limits, its messages in order and all that was said before as it was', () => {
    const step = fc.record({
      text: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.integer({ min: 1, max: 9000 }).map((length) => 'ü'.repeat(length)),
      ),
      skewMs: fc.integer({ min: -60_000, max: 60_000 }),
      isGiven: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        let addressee = running()
        for (const [n, { text: said, skewMs, isGiven }] of steps.entries()) {
          const before = addressee.execution?.status?.messages ?? []
          const outcome = say(addressee, { ...SAID, id: `message${n}`, text: said, at: addMs(AT, skewMs) })
          if (outcome.kind === 'refused' || addressee.execution === undefined) continue
          const after = outcome.status.messages ?? []
          assert.deepEqual(after.slice(0, -1), before)
          assert.equal(after.at(-1)?.text, said)
          assert.ok((before.at(-1)?.at ?? '') < (after.at(-1)?.at ?? ''))
          const kept = after.map((one) => (isGiven ? { ...one, ...GIVEN } : one))
          addressee = {
            ...addressee,
            execution: { ...addressee.execution, status: { ...outcome.status, messages: kept } },
          }
        }
        const all = addressee.execution?.status?.messages ?? []
        assert.ok(all.length <= MAX_MESSAGES)
        assert.ok(all.filter(isWaiting).length <= MAX_WAITING_MESSAGES)
        assert.ok(all.reduce((sum, one) => sum + utf8Length(one.text), 0) <= MAX_MESSAGES_BYTES)
      }),
      { numRuns: 50 },
    )
  })
})

describe('what a record says of messages', () => {
  const told = [message(1, GIVEN), message(2), message(3, { uncertain: true })]

  it('is all of them and the modes while the agent works, and afterwards those that it was not given', () => {
    const now = toToldFields(running({ messages: told }))
    assert.deepEqual([now.message_modes, now.messages?.length], [['queue', 'steer', 'interrupt'], 3])
    assert.deepEqual(now.messages?.[0]?.delivered_at, '2025-12-31T00:00:01Z')
    const ended = toToldFields(running({ state: 'COMPLETED', messages: told }))
    assert.deepEqual(
      [ended.message_modes, ended.messages?.map(({ id, uncertain }) => [id, uncertain])],
      [
        undefined,
        [
          ['older0002', undefined],
          ['older0003', true],
        ],
      ],
    )
  })

  it('is nothing where nothing was said and nobody listens', () => {
    assert.deepEqual(toToldFields(running({}, 'script')), {})
  })
})
