import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { exitWords } from '../../../web/features/scripts/exit-words.ts'
import { parseScriptsSearch } from '../../../web/features/scripts/search.ts'
import { type Upload, afterEvent, endedUploads, nextToSend } from '../../../web/features/drops/uploads.ts'
import { formatSize } from '../../../core/sentences/amounts.ts'

const fileOf = (name: string): File => new File(['x'], name)
const chosen = (names: readonly string[], taken: readonly string[] = []): readonly Upload[] =>
  afterEvent([], { kind: 'chosen', files: names.map(fileOf), firstId: 1, taken: new Set(taken) })
const phases = (uploads: readonly Upload[]) => uploads.map(({ phase }) => phase)

describe('uploads', () => {
  it('wait for an answer where a drop has their name, and are sent after it', () => {
    const uploads = chosen(['a', 'b'], ['b'])
    assert.deepEqual(phases(uploads), ['waiting', 'asks'])
    assert.deepEqual(phases(afterEvent(uploads, { kind: 'again', id: 2 })), ['waiting', 'waiting'])
  })

  it('keep why one failed, beside the others', () => {
    const uploads = afterEvent(chosen(['a', 'b']), { kind: 'failed', id: 1, problem: 'too large' })
    assert.deepEqual([uploads[0]?.problem, uploads[1]?.phase], ['too large', 'waiting'])
    assert.deepEqual([...endedUploads(uploads)], [1])
    assert.equal(afterEvent(uploads, { kind: 'forgotten', ids: endedUploads(uploads) }).length, 1)
  })

  it('are all sent, two at a time at most, never two of one name, in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 }), (names) => {
        let uploads = chosen(names)
        for (let turn = 0; turn <= names.length; turn += 1) {
          for (const { id } of nextToSend(uploads)) uploads = afterEvent(uploads, { kind: 'sends', id })
          const sending = uploads.filter(({ phase }) => phase === 'sending')
          assert.ok(sending.length <= 2)
          assert.equal(new Set(sending.map(({ file }) => file.name)).size, sending.length)
          const [first] = sending
          if (first !== undefined) uploads = afterEvent(uploads, { kind: 'ended', id: first.id, phase: 'stored' })
        }
        assert.ok(uploads.every(({ phase }) => phase === 'stored'))
      }),
    )
  })
})

describe('words about files and scripts', () => {
  it('give sizes as people read them', () => {
    for (const [bytes, words] of [
      [0, '0 B'],
      [812, '812 B'],
      [4_400_000, '4.2 MiB'],
      [536_870_912, '512 MiB'],
    ] as const)
      assert.equal(formatSize(bytes), words)
  })

  it('name the signal that ended a script', () => {
    assert.match(exitWords(0), /well/)
    assert.match(exitWords(137), /SIGKILL/)
    assert.match(exitWords(200), /signal 72/)
    assert.match(exitWords(3), /exit code 3/)
  })

  it('keep a script in the address, and nothing else', () => {
    assert.deepEqual(parseScriptsSearch({ script: 12 }), { script: '12' })
    assert.deepEqual(parseScriptsSearch({ script: ['a'], q: 'x' }), {})
  })
})
