import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { carryColours, dropUndrawn } from '../../../web/model/ansi.ts'
import { findGrowth } from '../../helpers/growth.ts'
import { findSafeHref, showUnseen, splitAddresses } from '../../../web/model/hostile-text.ts'
import { shortPath } from '../../../web/model/tool-words.ts'
import { splitMarked } from '../../../web/model/marked.ts'

describe('texts of agents', () => {
  it('show characters that nobody would see', () => {
    assert.equal(showUnseen('a\u202eb\u0000\u001b\u007f\tc\n'), 'a[U+202E]b␀␛␡\tc\n')
  })

  it('link to http and https alone', () => {
    assert.equal(findSafeHref('https://example.org/a?b#c'), 'https://example.org/a?b#c')
    for (const url of [
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      '/api/tasks',
      '//evil.example',
      'data:text/html,x',
      'https://',
      ' http://a',
      'file:///etc/passwd',
    ])
      assert.equal(findSafeHref(url), undefined, url)
  })

  it('are cut at addresses, without the full stop behind them', () => {
    assert.deepEqual(splitAddresses('see https://a.example/x, (http://b.example).'), [
      { text: 'see ' },
      { text: 'https://a.example/x', href: 'https://a.example/x' },
      { text: ', (' },
      { text: 'http://b.example', href: 'http://b.example' },
      { text: ').' },
    ])
  })

  it('lose nothing when they are cut', () => {
    const text = fc.array(fc.constantFrom('http://', 'https://a', 'x', '.', ' ', '(', ')', 'ſK', '/'), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(text, fc.string({ maxLength: 4 }), (parts, wanted) => {
        const whole = parts.join('')
        const addresses = splitAddresses(whole)
        assert.equal(addresses.map((part) => part.text).join(''), whole)
        for (const { href } of addresses) assert.ok(href === undefined || /^https?:\/\//i.test(href))
        assert.equal(
          splitMarked(whole, wanted)
            .map((part) => part.text)
            .join(''),
          whole,
        )
      }),
    )
  })

  it('mark what was searched for, in capitals or not, and never as a pattern', () => {
    assert.deepEqual(splitMarked('A.b a.B axb', 'a.b'), [
      { text: 'A.b', isMatch: true },
      { text: ' ', isMatch: false },
      { text: 'a.B', isMatch: true },
      { text: ' axb', isMatch: false },
    ])
  })
})

describe('colours of a terminal', () => {
  it('go on in the next line until they are reset', () => {
    const red = carryColours('', 'x \u001b[31mred')
    assert.equal(red, '\u001b[31m')
    assert.equal(carryColours(red, '\u001b[1mbold'), '\u001b[31m\u001b[1m')
    assert.equal(carryColours(red, 'end\u001b[0m'), '')
    assert.equal(carryColours(red, 'end\u001b[m and \u001b[4mmore'), '\u001b[4m')
  })

  it('are carried over any number of lines in little memory', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('\u001b[31m', '\u001b[0m', '\u001b[38;2;1;2;3m', 'x'), { maxLength: 200 }),
        (lines) => {
          assert.ok(lines.reduce(carryColours, '').length <= 200)
        },
      ),
    )
  })

  it('are all that is drawn of control sequences', () => {
    assert.equal(dropUndrawn('\u001b]8;;https://a\u001b\\link\u001b]8;;\u0007 \u001b[31mred'), 'link \u001b[31mred')
  })

  it('are read in one pass, whatever they repeat', async () => {
    const sizes = { sizes: [1_000, 60_000], suspiciousMs: 40 }
    assert.equal(await findGrowth((size) => splitAddresses(`http://a${')'.repeat(size)}x`), sizes), undefined)
    assert.equal(await findGrowth((size) => shortPath('/'.repeat(size)), sizes), undefined)
  })
})
