import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { difference, inPlace, openPage } from '../../../cli/client/redraw.ts'
import { cutLine } from '../../../cli/client/text.ts'
import { fakeScreen } from './fake-screen.ts'

const ESC = '\u001B'

/** What a terminal shows that knows the sequences of a page: go to a line, erase its rest, what is below, or all. */
function shownAfter(before: readonly string[], text: string): string[] {
  let lines = [...before]
  let at = 0
  // eslint-disable-next-line no-control-regex
  for (const [, row, mode, written = ''] of text.matchAll(/\u{1B}\[(?:(\d+);1H|(2?[JK]))|([^\u{1B}]+)/gu)) {
    if (row !== undefined) at = Number(row) - 1
    else if (mode === '2J') lines = []
    else if (mode === 'J') lines = lines.slice(0, at)
    else if (mode === undefined) lines[at] = written
  }
  return lines
}

describe('a page on a terminal', () => {
  const page = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 3 }), {
    maxLength: 5,
  })

  it('becomes the next one by what differs, whatever both hold', () => {
    fc.assert(
      fc.property(page, page, (before, after) => {
        assert.deepEqual(shownAfter(before, difference(before, after)), after)
        assert.deepEqual(shownAfter(['rest', 'of', 'others'], difference(undefined, after)), after)
        assert.equal(difference(after, after), '')
      }),
    )
  })

  it('is drawn in one write, writes nothing if nothing has changed, and is drawn whole after a change of its size', () => {
    const screen = fakeScreen(20, 5)
    const writes: string[] = []
    let lines = ['one', 'two']
    const opened = openPage(
      (text) => writes.push(text),
      screen,
      ({ width }) => [...lines, String(width)],
    )
    assert.deepEqual(writes.splice(0), [
      `${ESC}[?1049h${ESC}[?25l${ESC}[?7l`,
      `${ESC}[2J${ESC}[1;1Hone${ESC}[K${ESC}[2;1Htwo${ESC}[K${ESC}[3;1H20${ESC}[K`,
    ])
    opened.redraw()
    assert.deepEqual(writes, [])
    lines = ['one', 'TWO']
    opened.redraw()
    assert.deepEqual(writes.splice(0), [`${ESC}[2;1HTWO${ESC}[K`])
    screen.resize(30, 5)
    assert.match(writes.splice(0).join(), /^.\[2J.*one.*TWO.*30/)
    screen.suspend()
    assert.deepEqual(writes.splice(0), [`${ESC}[?7h${ESC}[?25h${ESC}[?1049l`])
    screen.resume()
    assert.match(writes.splice(0).join(), /^.\[\?1049h.*\[2J.*one.*TWO.*30/)
    opened.close()
    assert.deepEqual([writes.splice(0), screen.listeners()], [[`${ESC}[?7h${ESC}[?25h${ESC}[?1049l`], 0])
  })
})

describe('a line on a terminal', () => {
  it('takes the place of the one before, and never more than the width', () => {
    assert.equal(inPlace('a\u001B[2Jb', 80), `${ESC}[?7l\ra[2Jb${ESC}[K${ESC}[?7h`)
    assert.match(inPlace('x'.repeat(100), 10), /\rx{8}…/)
  })

  it('is cut without its colours, which end as they would have', () => {
    const painted = `ab ${ESC}[31mcdef${ESC}[39m gh`
    assert.equal(cutLine(painted, 5), `ab ${ESC}[31mcd${ESC}[39m`)
    assert.equal(cutLine(painted, 100), painted)
  })
})
