import assert from 'node:assert/strict'
import { table } from '../../../cli/client/output.ts'
import { paintDiff, styleOf } from '../../../cli/client/style.ts'

const ESC = '\u001B'
const BARE = { isTerminal: false, hasColor: false }
const COLORED = { isTerminal: true, hasColor: true }

describe('the style of an output', () => {
  const terminal = { isTTY: true, columns: 80, hasColors: () => true }
  const monochrome = { ...terminal, hasColors: () => false }
  const pipe = { isTTY: false, columns: 0, hasColors: () => false }

  it('has colours on a terminal that has them, or where they are asked for', () => {
    assert.deepEqual(styleOf(undefined, terminal), { isTerminal: true, hasColor: true, width: 80 })
    assert.equal(styleOf('auto', monochrome).hasColor, false)
    assert.equal(styleOf('never', terminal).hasColor, false)
    assert.deepEqual(styleOf('always', pipe), { isTerminal: false, hasColor: true, width: undefined })
    assert.throws(() => styleOf('on', pipe), { message: '--color must be one of auto, always, never, not "on"' })
  })

  it('paints states, and what a diff adds and takes away, but not its headers', () => {
    assert.equal(
      table(['TASK', 'STATE', 'NAME'], [['a', 'READY', 'b']], COLORED).split('\n')[1],
      `a      ${ESC}[33mREADY${ESC}[39m   b`,
    )
    const diff = ['diff --git a/x b/x', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-old', '+new', ' same'].join('\n')
    const lines = paintDiff(diff, COLORED).split('\n')
    const codes = lines.map((line) => (line.startsWith(`${ESC}[`) ? line.slice(2, line.indexOf('m')) : undefined))
    assert.deepEqual(codes, ['1', '1', '1', '36', '31', '32', undefined])
    assert.equal(paintDiff(diff, BARE), diff)
  })
})

describe('a table', () => {
  const rows = [['a-task-with-a-long-name', 'READY', 'x'.repeat(50), 'y'.repeat(300)]]
  const of = (width: number | undefined) => table(['TASK', 'STATE', 'NAME', 'WAITING FOR'], rows, { ...BARE, width })

  it('has lines of any length for a program', () => {
    assert.match(of(undefined), new RegExp(`${'x'.repeat(50)} {3}${'y'.repeat(300)}\n$`))
  })

  it('fits into a terminal, with ids, states and the words of the last column whole', () => {
    const why = 'agent script is drained: 3 failures in a row; slipway undrain script lets it work again'
    for (const width of [90, 110, 150]) {
      const waiting = [['a-task-with-a-long-name', 'COMPLETED', 'x'.repeat(50), why]]
      const text = table(['TASK', 'STATE', 'NAME', 'WAITING FOR'], waiting, { ...BARE, width })
      const lines = text.trimEnd().split('\n')
      assert.deepEqual(
        lines.filter(({ length }) => length > width),
        [],
      )
      assert.match(lines[1] ?? '', /^a-task-with-a-long-name {3}COMPLETED {3}x+… {3}agent/)
      const column = lines[1]?.indexOf('agent') ?? 0
      assert.equal(
        lines
          .slice(1)
          .map((line) => line.slice(column))
          .join(' '),
        why,
      )
    }
    assert.match(of(10), /a-task-with-a-long-name {3}READY/)
  })

  it('aligns its columns, ends no line with a blank and cuts long cells but for the last', () => {
    const long = 'x'.repeat(100)
    const lines = table(
      ['A', 'B', 'C'],
      [
        [long, 'b', long],
        ['a', '', ''],
      ],
      BARE,
    ).split('\n')
    assert.deepEqual(lines, [`A${' '.repeat(62)}B   C`, `${'x'.repeat(59)}…   b   ${long}`, 'a', ''])
  })
})
