import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { InboxMessage } from '../../../core/execution/messages.ts'
import type { TranscriptFacts } from '../../../core/transcript/transcript.ts'
import type { Inbox } from '../../../runner/agent/inbox.ts'
import { startMessenger } from '../../../runner/agent/messenger.ts'
import { manualClock } from '../../helpers/clock.ts'

/** What may happen to a CLI that people talk to, in any order. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('sent' as const), mode: fc.constantFrom('Queue', 'Steer', 'Interrupt') }),
  fc.record({ kind: fc.constantFrom('passes', 'takes', 'ends', 'fails', 'is stopped') }),
)

type State = 'giving' | 'given'

function makeInbox() {
  const messages: InboxMessage[] = []
  const states = new Map<string, State>()
  const record = (some: readonly InboxMessage[], state: State): Promise<void> => {
    for (const { id } of some) {
      assert.equal(states.get(id), state === 'giving' ? undefined : 'giving', `${id} is ${state}`)
      states.set(id, state)
    }
    return Promise.resolve()
  }
  const inbox: Inbox = {
    waiting: () => Promise.resolve(messages.filter(({ id }) => !states.has(id))),
    uncertain: () => Promise.resolve([]),
    giving: (some) => record(some, 'giving'),
    given: (some) => record(some, 'given'),
    close: () => Promise.resolve(),
  }
  return { inbox, messages, states }
}

describe('giving messages to a running agent', () => {
  it('writes each at most once, after its receipt, and none is lost, whatever happens in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 25 }), async (story) => {
        const { inbox, messages, states } = makeInbox()
        const clock = manualClock()
        const facts: TranscriptFacts = { sessionId: 'kept' }
        const written: string[] = []
        const lines: string[] = []
        const taken: string[] = []
        let isOpen = true
        const write = (line: string): void => {
          assert.ok(isOpen, 'nothing is written once its input is closed')
          if (line === 'stop') return
          for (const id of line.split(' ')) assert.equal(states.get(id), 'giving', `${id} is written after its receipt`)
          written.push(...line.split(' '))
          lines.push(line)
        }
        const voice = { interrupt: () => 'stop', say: (text: string) => (text.match(/m\d{7}/g) ?? []).join(' ') }
        const messenger = startMessenger(inbox, voice, { clock, facts, write, onSilence: () => (isOpen = false) })
        for (const { kind, ...more } of story) {
          const waiting = lines.find((line) => !taken.includes(line))
          if ('mode' in more) {
            const id = `m${String(messages.length).padStart(7, '0')}`
            messages.push({ schemaVersion: 1, id, at: '', mode: more.mode, text: id })
          } else if (kind === 'passes') await clock.advance(500)
          else if (kind === 'takes' && waiting !== undefined) {
            taken.push(waiting)
            const told = await messenger.take(waiting.split(' ')[0] ?? '')
            const ids = told.map((event) => event.kind === 'message' && event.id)
            assert.deepEqual(ids, waiting.split(' '))
          } else if (kind !== 'takes' && isOpen) {
            facts.result = { isError: kind !== 'ends' }
            isOpen = await messenger.endTurn(kind === 'is stopped')
            const isOnTheWay = lines.some((line) => !taken.includes(line))
            assert.equal(isOpen, kind !== 'fails' && isOnTheWay, 'it goes on while a message is on its way')
          }
        }
        await messenger.stop()
        assert.deepEqual(written, [...new Set(written)])
        const given = [...states].filter(([, state]) => state === 'given').map(([id]) => id)
        assert.deepEqual(given.toSorted(), taken.flatMap((line) => line.split(' ')).toSorted())
        // What was not written has no receipt, and so joins the next prompt.
        assert.deepEqual([...states.keys()].toSorted(), written.toSorted())
      }),
    )
  })
})
