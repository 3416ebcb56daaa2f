import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { createStreamRedactor } from '../../runner/redact.ts'
import { runs } from '../helpers/runs.ts'

/** All that a stream in these pieces comes to. */
function run(secrets: readonly string[], chunks: readonly Uint8Array[]): Buffer {
  const redactor = createStreamRedactor(secrets)
  return Buffer.concat([...chunks.map((chunk) => redactor.push(Buffer.from(chunk))), redactor.end()])
}

/** Pieces of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })

describe('a stream without its secrets', () => {
  // Of two letters: one secret is often the beginning, the end or a part of another one, and of itself.
  const word = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })

  it('is the same in whatever pieces it comes, and has none of them', () => {
    fc.assert(
      fc.property(fc.array(word(4, 9), { maxLength: 4 }), word(0, 60), sizes, (secrets, text, pieces) => {
        const whole = run(secrets, [Buffer.from(text)])
        assert.equal(run(secrets, cut(Buffer.from(text), pieces)).toString(), whole.toString())
        assert.equal(whole.toString(), naive(text, secrets))
        for (const secret of secrets) assert.ok(!whole.toString().includes(secret))
      }),
      { numRuns: runs(3000) },
    )
  })

  it('is the same byte for byte where there is none in it, whatever bytes they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), sizes, (bytes, pieces) => {
        const chunks = cut(Buffer.from(bytes), pieces)
        assert.ok(run(['a secret that is long enough'], chunks).equals(Buffer.from(bytes)))
      }),
    )
  })

  it('has none of them as JSON, in a URL or in base64, wherever it stands in what is encoded', () => {
    const secret = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 40 }).filter((text) => !/^\s|\s$/.test(text))
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), sizes, (value, before, after, pieces) => {
        const part = Buffer.from(`${before}${value}${after}`).toString('base64')
        const line = [JSON.stringify({ value }), encodeURIComponent(value), Buffer.from(value).toString('base64')].join(
          ' ',
        )
        const out = run([value], cut(Buffer.from(line), pieces)).toString()
        assert.equal(out, '{"value":"[redacted]"} [redacted] [redacted]')
        assert.notEqual(run([value], cut(Buffer.from(part), pieces)).toString(), part)
      }),
    )
  })

  it('holds back nothing but what could be the beginning of a secret', () => {
    const redactor = createStreamRedactor(['sk-123456789'])
    assert.equal(redactor.push(Buffer.from('Continue? ')).toString(), 'Continue? ')
    assert.equal(redactor.push(Buffer.from('it is sk-123')).toString(), 'it is ')
    assert.equal(redactor.push(Buffer.from('\n')).toString(), 'sk-123\n')
    assert.equal(redactor.push(Buffer.from('sk-12345678')).toString(), '')
    assert.equal(redactor.push(Buffer.from('9.')).toString(), '[redacted].')
    assert.equal(redactor.end().toString(), '')
  })
})

/** The first place that has a secret, and of those there the longest. */
function naive(text: string, secrets: readonly string[]): string {
  let out = ''
  for (let at = 0; at < text.length;) {
    const found = secrets.filter((secret) => text.startsWith(secret, at)).sort((a, b) => b.length - a.length)[0]
    out += found === undefined ? text[at] : '[redacted]'
    at += found?.length ?? 1
  }
  return out
}
