import assert from 'node:assert/strict'
import type { MessagedRun } from '../../../core/sentences/messages.ts'
import { type Message, pendingMessages, sayingProblem, usualMode } from '../../../web/model/saying.ts'
import { transcriptOf } from '../../../web/model/transcript.ts'

const at = '2026-01-01T00:00:00Z'
const message = (id: string, more: Partial<Message> = {}): Message => ({ id, at, mode: 'steer', text: id, ...more })
const SILENCE = transcriptOf([])

describe('messages below a conversation', () => {
  it('are those that the agent was not given, with what they wait for', () => {
    const given = message('message1', { delivered_at: at })
    const said = [
      given,
      message('message2'),
      message('message3', { mode: 'queue' }),
      message('message4', { uncertain: true }),
    ]
    const words = (run: MessagedRun) =>
      pendingMessages(said, SILENCE, run).map((pending) => [pending.message.id, pending.words])
    const unsure = 'may not have reached the agent; it is told again at the next start'
    assert.deepEqual(words('runs'), [
      ['message2', 'waits for the tool that it runs'],
      ['message3', 'waits for the end of its turn'],
      ['message4', unsure],
    ])
    const lost = 'did not reach the agent; it is told at the next start'
    assert.deepEqual(words('ended'), [
      ['message2', lost],
      ['message3', lost],
      ['message4', unsure],
    ])
    const past = 'did not reach the agent in this run'
    assert.deepEqual(words('past'), [
      ['message2', past],
      ['message3', past],
      ['message4', 'may not have reached the agent in this run'],
    ])
  })

  it('are no longer those that the conversation shows, though the record does not know', () => {
    const line = { at, kind: 'message', id: 'message1', mode: 'steer', text: 'a' } as const
    const said = [message('message1'), message('message2')]
    const pending = pendingMessages(said, transcriptOf([{ position: 0, line }], { messages: said }), 'runs')
    assert.deepEqual(
      pending.map((one) => one.message.id),
      ['message2'],
    )
  })

  it('go out as soon as they can without stopping anything', () => {
    assert.equal(usualMode(['queue', 'steer', 'interrupt']), 'steer')
    assert.equal(usualMode(['queue']), 'queue')
  })

  it('say by how much they are too long, in bytes', () => {
    assert.equal(sayingProblem('é'.repeat(4096)), undefined)
    assert.match(sayingProblem('é'.repeat(4097)) ?? '', /by 2 bytes/)
  })
})
