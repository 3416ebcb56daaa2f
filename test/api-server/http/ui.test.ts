import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Rig, startRig } from '../rig.ts'
import { send } from './raw-http.ts'

const PAGE = '<!doctype html><title>the page</title>'
const SCRIPT = 'console.log("a script")\n'.repeat(20)
const HTML = { Accept: 'text/html,application/xhtml+xml' }

describe('the browser UI, as the server serves it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-ui-'))
  const uiFolder = join(folder, 'ui')
  let api: Rig

  before(async () => {
    mkdirSync(join(uiFolder, 'assets'), { recursive: true })
    writeFileSync(join(uiFolder, 'index.html'), PAGE)
    writeFileSync(join(uiFolder, 'assets', 'main-hash.js'), SCRIPT)
    writeFileSync(join(uiFolder, 'assets', 'main-hash.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(join(uiFolder, 'assets', 'main-hash.js.gz'), gzipSync(SCRIPT))
    writeFileSync(join(folder, 'secret'), 'not of the UI')
    api = await startRig({ uiFolder, token: 'the-token' })
  })
  after(async () => {
    await api.stop()
    rmSync(folder, { recursive: true })
  })

  it('is its page at / for whoever asks, without a token, and asked about each time', async () => {
    const { status, headers, text } = await api.get('/')
    assert.deepEqual([status, text], [200, PAGE])
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-cache')
    const again = await api.get('/', { 'If-None-Match': headers.get('etag') ?? '' })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  it('is its page at each address that a browser opens, and no answer to a program', async () => {
    for (const path of ['/stories', '/tasks/abc?x=1', '/no/such/view']) {
      const page = await api.get(path, HTML)
      assert.deepEqual([page.status, page.text], [200, PAGE], path)
      assert.equal((await api.get(path, { Accept: 'application/json' })).status, 404, path)
      assert.equal((await api.request('POST', path, {}, HTML)).status, 404, path)
    }
  })

  it('names beside its page what the view at that address needs first, and nothing where it knows no view', async () => {
    const list = {
      '/': ['/theme.js', '/assets/a.js'],
      '/tasks/$taskId': ['/assets/t.js', '/assets/t.css'],
      '/tasks/new': ['/assets/n.js'],
    }
    writeFileSync(join(uiFolder, 'preload.json'), JSON.stringify(list))
    const linkAt = async (path: string) => (await api.get(path, HTML)).headers.get('link')
    assert.equal(
      await linkAt('/'),
      '</theme.js>; rel=preload; as=script, </assets/a.js>; rel=modulepreload; crossorigin',
    )
    assert.equal(await linkAt('/tasks/new?project=x'), '</assets/n.js>; rel=modulepreload; crossorigin')
    assert.equal(
      await linkAt('/tasks/abc'),
      '</assets/t.js>; rel=modulepreload; crossorigin, </assets/t.css>; rel=preload; as=style; crossorigin',
    )
    assert.equal(await linkAt('/tasks/abc/no-view'), null)
    assert.equal(await linkAt('/assets/main-hash.js'), null)
  })

  it('leaves the API its own errors, also for a browser', async () => {
    const unknown = await api.get('/api/nothing', { ...HTML, Authorization: 'Bearer the-token' })
    assert.deepEqual([unknown.status, unknown.body], [404, { error: 'no such path: /api/nothing' }])
    assert.equal((await api.get('/API/tasks', HTML)).status, 401)
    assert.equal((await api.get('/healthz', HTML)).body !== undefined, true)
  })

  it('serves what was built anew while it runs, and no longer what is gone', async () => {
    writeFileSync(join(uiFolder, 'assets', 'old-hash.js'), SCRIPT)
    assert.equal((await api.get('/assets/old-hash.js')).status, 200)
    rmSync(join(uiFolder, 'assets', 'old-hash.js'))
    writeFileSync(join(uiFolder, 'assets', 'new-hash.js'), SCRIPT)
    assert.equal((await api.get('/assets/new-hash.js')).status, 200)
    assert.equal((await api.get('/assets/old-hash.js')).status, 404)
  })

  it('keeps hashed files for ever, compressed as the client can read them', async () => {
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, headers, text } = await api.get('/assets/main-hash.js', { 'Accept-Encoding': accepted })
      assert.deepEqual([status, text], [200, SCRIPT])
      assert.equal(headers.get('content-encoding'), encoding)
      assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.match(headers.get('vary') ?? '', /Accept-Encoding/)
    }
  })

  it('answers HEAD with the same headers and nothing else', async () => {
    const head = await api.request('HEAD', '/assets/main-hash.js', undefined, { 'Accept-Encoding': 'identity' })
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers.get('content-length'), String(SCRIPT.length))
  })

  it('does not take a missing file for a view: an old page is told that its script is gone', async () => {
    assert.equal((await api.get('/assets/old-hash.js', HTML)).status, 404)
  })

  it('serves nothing beside its own files', async () => {
    for (const path of [
      '/../secret',
      '/assets/../../secret',
      '/%2e%2e/secret',
      '/assets/..%2f..%2fsecret',
      '//secret',
    ]) {
      const { body } = await send(`${api.url}${path}`, HTML)
      assert.doesNotMatch(JSON.stringify([body]), /not of the UI/, path)
    }
  })

  it('allows no script in the page and none from elsewhere', async () => {
    const policy = (await api.get('/')).headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'self';script-src 'self';/)
    assert.match(policy, /connect-src 'self'/)
    assert.match(policy, /manifest-src 'self'/)
    assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline|https?:/)
  })

  it('says how it is built where it is not', async () => {
    const bare = await startRig({ uiFolder: join(folder, 'none') })
    const { status, text } = await bare.get('/', HTML)
    assert.equal(status, 503)
    assert.match(text, /npm run build/)
    assert.equal((await bare.get('/nothing')).status, 404)
    await bare.stop()
  })
})
