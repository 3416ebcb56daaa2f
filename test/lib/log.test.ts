import assert from 'node:assert/strict'
import { recordingLogger } from '../helpers/log.ts'

const MARKER = 'marker-0f1e2d3c'

describe('the log', () => {
  const places: readonly [string, object][] = [
    ['a field', { url: `https://robot:${MARKER}@git.example/shop.git` }],
    ['a list in a field', { about: { urls: [`http://${MARKER}@host/x`] } }],
    ['a URL object', { url: new URL(`https://robot:${MARKER}@git.example/shop.git`) }],
    ['a query', { url: `https://host/commit?access_token=${MARKER}&x=1` }],
    ['a message of an error', { error: new Error(`cannot read https://u:${MARKER}@host/"quoted"`) }],
    ['a cause', { error: new Error('failed', { cause: new Error(`no https://u:${MARKER}@host`) }) }],
    ['an error of several', { error: new AggregateError([new Error(`https://u:${MARKER}@host`)], 'all failed') }],
    ['a member of an error', { error: Object.assign(new Error('x'), { url: `https://u:${MARKER}@host` }) }],
  ]
  for (const [place, fields] of places) {
    it(`holds no password of a URL that stands in ${place}`, () => {
      const { logger, lines } = recordingLogger()
      logger.warn(fields, 'something happened')
      const text = JSON.stringify(lines)
      assert.ok(!text.includes(MARKER), text)
      assert.ok(text.includes('[redacted]'), text)
    })
  }

  it('keeps what is no secret: messages, numbers, times, and the stack and code of an error', () => {
    const { logger, lines } = recordingLogger()
    const error = Object.assign(new Error('no ssh://git@host/shop.git'), { code: 'ENOENT' })
    logger.error({ error, at: new Date(0), count: 2, deep: { list: ['a', 1, null] } }, 'failed')
    const [{ error: shown, at, count, deep, msg } = {}] = lines
    assert.deepEqual([at, count, deep, msg], ['1970-01-01T00:00:00.000Z', 2, { list: ['a', 1, null] }, 'failed'])
    const { message, code, stack } = Object(shown)
    assert.deepEqual([message, code], ['no ssh://git@host/shop.git', 'ENOENT'])
    assert.match(stack, /log\.test/)
  })

  it('writes a line for what holds itself', () => {
    const { logger, lines } = recordingLogger()
    const loop: { self?: unknown } = {}
    loop.self = loop
    logger.info({ loop }, 'odd')
    assert.equal(lines.length, 1)
  })
})
