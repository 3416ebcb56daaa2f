import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findAddedLines, findHiddenFiles, parseRawChanges } from '../../../core/review/hidden.ts'

const id = (letter: string): string => letter.repeat(40)
const entry = (before: string, after: string, path: string): string =>
  `:100644 100644 ${id(before)} ${id(after)} M\0${path}\0`

describe('the files that a diff does not show', () => {
  it('are those of no path in it, and those of a path in it with other content, each with the commit that brought it', () => {
    const log = `${id('1')}\0${entry('0', 'a', 'shown')}${entry('0', 'c', 'gone')}${id('2')}\0${entry('a', 'b', 'shown')}`
    const found = findHiddenFiles(
      `${id('a')}\n${id('b')}\n${id('c')}\n`,
      log,
      parseRawChanges(entry('0', 'b', 'shown')),
    )
    assert.deepEqual(found, [
      { commit: id('1'), path: 'shown', shown: [id('0'), id('b')], content: id('a') },
      { commit: id('1'), path: 'gone', content: id('c') },
    ])
  })

  it('are none where the commits did not bring the content themselves', () => {
    const log = `${id('1')}\0${entry('a', 'c', 'file')}`
    assert.deepEqual(findHiddenFiles('', log, parseRawChanges(entry('a', 'b', 'file'))), [])
  })
})

describe('the lines that only the second of two files has', () => {
  it('leave out what has only moved, blank lines and the head of the diff', () => {
    const diff = ['--- a/x', '+++ b/x', '@@ -1,2 +1 @@', '-moved', '@@ -4 +3,3 @@', '+  moved', '+', '+new'].join('\n')
    assert.deepEqual(findAddedLines(diff), new Set(['new']))
  })

  it('are not known of files that git does not compare by lines, and none of two that are the same', () => {
    assert.equal(findAddedLines('Binary files a/x and b/x differ\n'), undefined)
    assert.deepEqual(findAddedLines(''), new Set())
  })

  it('are never lines that the first one has as well', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = ['@@', ...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)].join('\n')
        const expected = new Set(after.filter((line) => !before.includes(line)))
        assert.deepEqual(findAddedLines(diff), expected)
      }),
    )
  })
})
