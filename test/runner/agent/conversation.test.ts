import assert from 'node:assert/strict'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConversationEvent } from '../../../core/transcript/events.ts'
import { createConversation } from '../../../runner/agent/conversation.ts'
import { systemClock } from '../../../lib/clock.ts'

describe('the conversation file', () => {
  let folder: string
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'slipway-conversation-'))))
  after(() => rm(folder, { recursive: true }))

  /** The texts that it holds, of a transcript that gives one event for each line. */
  const textsOf = async (events: readonly ConversationEvent[]): Promise<unknown[]> => {
    const path = join(folder, 'events.jsonl')
    const file = await open(path, 'w')
    const waiting = [...events]
    const conversation = createConversation(
      { read: () => ({ events: waiting.splice(0, 1) }), facts: {} },
      {
        file,
        sizeBytes: 0,
        maxBytes: 1000,
        clock: systemClock,
        secrets: ['s3cret-token'],
        reply: () => Promise.resolve(),
        onOver: () => Promise.resolve(),
      },
    )
    await conversation.take(Buffer.from('line\n'.repeat(events.length)))
    await conversation.end()
    await file.close()
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    return lines.map((line) => JSON.parse(line).text)
  }

  it('has no secret of a text that was put together from pieces', async () => {
    assert.deepEqual(await textsOf([{ kind: 'text', text: 'It is s3cret-token.' }]), ['It is [redacted].'])
  })

  it('has none in a thought, or the last word of a run, that was put together from pieces', async () => {
    assert.deepEqual(
      await textsOf([
        { kind: 'thinking', text: 'It is s3cret-token.' },
        { kind: 'result', is_error: false, text: 'It was s3cret-token.' },
      ]),
      ['It is [redacted].', 'It was [redacted].'],
    )
  })

  it('has none that lies in two pieces', async () => {
    const pieces = ['It is s3cret', '-token.'].map((text, i) => ({ kind: 'text', text, is_partial: i === 0 }) as const)
    assert.equal((await textsOf(pieces)).join(''), 'It is [redacted].')
  })

  it('has not the beginning of one whose text another event cuts in two', async () => {
    const texts = await textsOf([
      { kind: 'text', text: 'It is s3cret', is_partial: true },
      { kind: 'output', text: 'a line' },
      { kind: 'text', text: '-token.', is_partial: true },
      { kind: 'text', text: ' And it is s3', is_partial: true },
      { kind: 'output', text: 'a line' },
    ])
    assert.equal(texts.join(''), 'It is [redacted]a line-token. And it is s3a line')
  })
})
