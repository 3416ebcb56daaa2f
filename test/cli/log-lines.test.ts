import assert from 'node:assert/strict'
import { linePrinter } from '../../cli/log-lines.ts'
import { makeLogger } from '../../lib/log.ts'

describe('a line of the log on a terminal', () => {
  const shown = (fields: object, { hasColor = false, hasStacks = false } = {}): string => {
    const print = linePrinter({ hasColor, hasStacks })
    let text = ''
    makeLogger('debug', { write: (line) => void (text += print(line)) }).warn(fields, 'looking failed')
    return text
  }
  const failure = new Error('cannot look', {
    cause: new AggregateError([new Error('no route'), new Error('cannot')], 'all'),
  })

  it('has time, level and message, what went wrong, and the fields that say where', () => {
    assert.match(
      shown({ error: failure, pod: 'a-1', count: 2, names: ['x'] }),
      /^\[\d\d:\d\d:\d\d\] WARN: looking failed: cannot look: all: no route \(pod a-1, count 2, names \["x"\]\)\n$/,
    )
  })

  it('is one line whatever stands in it, and controls no terminal', () => {
    const text = shown({ error: new Error('first\nsecond\u001b[2J\u009b1m\u202e'), pod: `x\r\n${'y'.repeat(5000)}` })
    assert.match(text, /looking failed: first second\[2J1m \(pod x y+…\n$/)
    assert.ok(text.length < 700, text)
  })

  it('has the stacks below it only if they are asked for', () => {
    const lines = shown({ error: failure }, { hasStacks: true }).split('\n')
    assert.match(String(lines[0]), /WARN: looking failed: cannot look: all/)
    assert.ok(
      lines.slice(1, -1).every((line) => line.startsWith('    ')),
      lines.join('\n'),
    )
    assert.equal(lines.filter((line) => /^ +(Aggregate)?Error: /.test(line)).length, 4)
  })

  it('has colours only if they are asked for', () => {
    const [plain, coloured] = [shown({}), shown({}, { hasColor: true })].map((text) => text.includes('\u001b['))
    assert.deepEqual([plain, coloured], [false, true])
  })

  it('holds no secret', () => {
    const text = shown({ token: 'marker-1', error: new Error('no https://u:marker-2@host/x') }, { hasStacks: true })
    assert.ok(!text.includes('marker-'), text)
    assert.match(text, /token \[redacted\]/)
  })
})
