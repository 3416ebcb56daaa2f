// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { type Rig, startRig } from '../rig.ts'

describe('the API’s own documentation', () => {
  let rig: Rig

  before(async () => {
    rig = await startRig({ token: 'the-token' })
  })

  after(() => rig.stop())

  const withToken = { Authorization: 'Bearer the-token' }

  it('is an OpenAPI 3.1 document with the version of the build', async () => {
    const { status, headers, body } = await rig.get('/api/openapi.json', withToken)
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
    const { openapi, info } = body as { openapi: string; info: { version: string } }
    assert.deepEqual([openapi, info.version], ['3.1.0', '0.0.0-test'])
  })

  it('is not sent again to whoever has it', async () => {
    const { headers } = await rig.get('/api/openapi.json', withToken)
    const again = await rig.get('/api/openapi.json', { ...withToken, 'If-None-Match': headers.get('etag') ?? '' })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  it('needs the token as everything below /api/ does', async () => {
    assert.equal((await rig.get('/api/openapi.json')).status, 401)
  })

  it('is a page that this server serves with all that it loads, without a token', async () => {
    const page = await rig.get('/api/docs')
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    const types = new Map([
      ['/api/docs/swagger-ui.css', 'text/css; charset=utf-8'],
      ['/api/docs/swagger-ui.js', 'text/javascript; charset=utf-8'],
      ['/api/docs/page.js', 'text/javascript; charset=utf-8'],
    ])
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
    assert.deepEqual(
      loaded.filter((url) => url !== 'data:,' && url !== '/api/openapi.json'),
      [...types.keys()],
    )
    for (const [url, type] of types) {
      const { status, headers, text } = await rig.get(url)
      assert.deepEqual([status, headers.get('content-type'), text.length > 0], [200, type, true], url)
    }
  })

  it('is a page that works under a strict content security policy: no script and no handler stands in it', async () => {
    const { text } = await rig.get('/api/docs')
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|\son\w+=|javascript:|<style|\sstyle=/)
  })

  it('asks no other server for anything: neither the page, nor its style, nor its own script', async () => {
    for (const path of ['/api/docs', '/api/docs/swagger-ui.css', '/api/docs/page.js']) {
      const { text } = await rig.get(path)
      const foreign = [...text.matchAll(/(?:src|href)="(?:https?:)?\/\/|url\("?https?:|@import|fetch\('https?:/g)]
      assert.deepEqual(foreign, [], path)
    }
  })

  it('shows the document by a renderer that is told to ask no validator elsewhere', async () => {
    const { text } = await rig.get('/api/docs/page.js')
    assert.match(text, /validatorUrl: null/)
    assert.match((await rig.get('/api/docs/swagger-ui.js')).text, /SwaggerUIBundle/)
  })
})
