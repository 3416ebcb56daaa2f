import assert from 'node:assert/strict'
import { parseUrl } from '../../lib/url.ts'

describe('parseUrl', () => {
  it('reads what is a URL, relative to a base too, and nothing else', () => {
    assert.equal(parseUrl('https://Example.org/a?b')?.href, 'https://example.org/a?b')
    assert.equal(parseUrl('../c', 'https://example.org/a/b')?.href, 'https://example.org/c')
    for (const text of ['', 'a/b', 'https://', 'https://[::1']) assert.equal(parseUrl(text), undefined, text)
  })

  it('reads letters beyond ASCII the thousandth time as the first', () => {
    for (let i = 0; i < 20_000; i++) assert.equal(parseUrl('https://é/a')?.hostname, 'xn--9ca')
  })
})
