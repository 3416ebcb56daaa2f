import assert from 'node:assert/strict'
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toStorageRefusal } from '../../../api-server/drops/folder.ts'
import { isApiError } from '../../../core/errors.ts'
import type { JsonValue } from '../../../embedded/schema/json.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'
import { BOUNDARY, filePart, multipart, openRaw, part, uploadHead } from './uploads.ts'

const MAX_BYTES = 4_000_000

describe('the drop directory', () => {
  let api: Rig
  let folder: string
  before(async () => {
    api = await startRig({ maxDropBytes: MAX_BYTES })
    folder = join(api.volumeRoot, 'drops')
  })
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    rmSync(join(api.volumeRoot, 'secret'), { force: true })
  })
  after(() => api.stop())

  const upload = async (body: Buffer | FormData, contentType?: string) => {
    const headers =
      body instanceof FormData ? {} : { 'Content-Type': contentType ?? `multipart/form-data; boundary=${BOUNDARY}` }
    const response = await fetch(`${api.url}/api/drops`, {
      method: 'POST',
      headers,
      body: body instanceof FormData ? body : new Uint8Array(body),
    })
    const answer: JsonValue = JSON.parse(await response.text())
    return { status: response.status, body: answer, error: response.ok ? '' : textAt(answer, 'error') }
  }

  it('POST /api/drops stores several files and answers 201 with name, size and time of each', async () => {
    const form = new FormData()
    form.append('file', new Blob(['one']), 'one.txt')
    form.append('file', new Blob(['']), 'empty')
    const { status, body } = await upload(form)
    assert.equal(status, 201)
    assert.deepEqual(
      itemsOf(body).map((record) => [at(record, 'name'), at(record, 'size')]),
      [
        ['one.txt', 3],
        ['empty', 0],
      ],
    )
    assert.ok(Math.abs(Date.parse(textAt(body, '0.modified_at')) - Date.now()) < 60_000)
    assert.equal(readFileSync(join(folder, 'one.txt'), 'utf8'), 'one')
    assert.deepEqual(readdirSync(folder).sort(), ['empty', 'one.txt'])
  })

  it('refuses a name that would be read as another one, and serves what an agent has put under such a name', async () => {
    const name = 'report\u202efdp.sh'
    const form = new FormData()
    form.append('file', new Blob(['x']), name)
    const { status, error } = await upload(form)
    assert.equal(status, 400)
    assert.match(error, /^file: .* must not contain characters that turn the direction of text \(here U\+202E\)$/)
    writeFileSync(join(folder, name), 'x')
    assert.deepEqual(
      itemsOf((await api.get('/api/drops')).body).map((record) => at(record, 'name')),
      [name],
    )
    assert.equal((await api.get(`/api/drops/${encodeURIComponent(name)}`)).text, 'x')
  })

  it('keeps every byte, also those that look like a boundary', async () => {
    const content = Buffer.concat([
      Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
      Buffer.from(`\r\n--${BOUNDARY.slice(0, -1)}\r\n--`),
    ])
    assert.equal((await upload(multipart(filePart('bytes', content)))).status, 201)
    const response = await fetch(`${api.url}/api/drops/bytes`)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), content)
  })

  it('GET /api/drops lists the files, newest first', async () => {
    assert.deepEqual((await api.get('/api/drops')).body, [])
    await upload(multipart(filePart('old', 'x'), filePart('new', 'xx')))
    utimesSync(join(folder, 'old'), 1, 1)
    const { status, body } = await api.get('/api/drops')
    assert.equal(status, 200)
    assert.deepEqual(
      itemsOf(body).map((record) => at(record, 'name')),
      ['new', 'old'],
    )
    assert.deepEqual(at(body, '1'), { name: 'old', size: 1, modified_at: '1970-01-01T00:00:01Z' })
  })

  it('GET /api/drops/{filename} offers a download that no browser shows as a page', async () => {
    const name = 'Übersicht “1”; x=y.html'
    await upload(multipart(filePart(name, '<script>')))
    const { status, text, headers } = await api.get(`/api/drops/${encodeURIComponent(name)}`)
    assert.deepEqual([status, text], [200, '<script>'])
    assert.equal(headers.get('content-type'), 'application/octet-stream')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    const disposition = headers.get('content-disposition') ?? ''
    assert.match(disposition, /^attachment; filename="/)
    const [, encoded = ''] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? []
    assert.equal(decodeURIComponent(encoded), name)
  })

  it('answers HEAD as GET without the body', async () => {
    await upload(multipart(filePart('a', 'four')))
    const { status, text, headers } = await api.request('HEAD', '/api/drops/a')
    assert.deepEqual([status, text, headers.get('content-length')], [200, '', '4'])
  })

  const ranges: readonly [string, number, string, string | null][] = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=10-', 416, '{"error":"range bytes=10- lies outside the 10 bytes there are"}', 'bytes */10'],
  ]
  for (const [range, expected, content, contentRange] of ranges) {
    it(`answers Range: ${range} with ${expected}`, async () => {
      await upload(multipart(filePart('digits', '0123456789')))
      const { status, text, headers } = await api.get('/api/drops/digits', { Range: range })
      assert.deepEqual([status, text, headers.get('content-range')], [expected, content, contentRange])
    })
  }

  it('tells by entity tag whether a file changed, and sends a part only of the version that the client has', async () => {
    await upload(multipart(filePart('a', '0123')))
    const tag = (await api.get('/api/drops/a')).headers.get('etag') ?? ''
    assert.equal((await api.get('/api/drops/a', { 'If-None-Match': tag })).status, 304)
    assert.equal((await api.get('/api/drops/a', { Range: 'bytes=1-', 'If-Range': tag })).status, 206)
    await upload(multipart(filePart('a', '4567')))
    assert.equal((await api.get('/api/drops/a', { 'If-None-Match': tag })).status, 200)
    const whole = await api.get('/api/drops/a', { Range: 'bytes=1-', 'If-Range': tag })
    assert.deepEqual([whole.status, whole.text], [200, '4567'])
  })

  const badNames: readonly [string, RegExp][] = [
    ['../../escape', /one path segment/],
    ['a/b', /one path segment/],
    ['..', /begin with a dot/],
    ['.hidden', /begin with a dot/],
    ['', /is empty/],
    ['a\tb', /control characters/],
    ['x'.repeat(256), /255 bytes/],
  ]
  for (const [name, reason] of badNames) {
    it(`refuses to store a file named ${JSON.stringify(name.slice(0, 20))} with 400 and keeps nothing`, async () => {
      const { status, error } = await upload(multipart(filePart('good', 'x'), filePart(name, 'x')))
      assert.equal(status, 400)
      assert.match(error, reason)
      assert.deepEqual(readdirSync(folder), [])
    })
  }

  it('refuses a name that is not UTF-8', async () => {
    const name = Buffer.from([0x63, 0x61, 0x66, 0xe9])
    const [before, after] = [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="`),
      Buffer.from('"\r\n\r\nx\r\n'),
    ]
    const { status, error } = await upload(multipart(Buffer.concat([before, name, after])))
    assert.equal(status, 400)
    assert.match(error, /UTF-8/)
  })

  const badBodies: readonly [string, Buffer, RegExp][] = [
    ['no part at all', multipart(), /./],
    ['no file', multipart(part('name="file"', 'text')), /file: needs a filename/],
    ['another field', multipart(part('name="note"', 'text')), /note: unknown field/],
    ['a file in another field', multipart(part('name="upload"; filename="a"', 'x')), /upload: unknown field/],
    ['one name twice', multipart(filePart('a', '1'), filePart('a', '2')), /"a" is given twice/],
    ['an end that is missing', filePart('a', 'x'), /malformed multipart body/],
    ['no bytes', Buffer.from(''), /./],
  ]
  for (const [what, body, reason] of badBodies) {
    it(`refuses a body with ${what} with 400 and keeps nothing`, async () => {
      const { status, error } = await upload(body)
      assert.equal(status, 400)
      assert.match(error, reason)
      assert.deepEqual(readdirSync(folder), [])
    })
  }

  it('refuses a content type without boundary with 400, and any other with 415', async () => {
    assert.equal((await upload(multipart(), 'multipart/form-data')).status, 400)
    assert.equal((await upload(multipart(), `multipart/form-data; boundary=${'x'.repeat(5000)}`)).status, 400)
    const { status, error } = await upload(multipart(), 'application/json')
    assert.equal(status, 415)
    assert.match(error, /send multipart\/form-data/)
  })

  it('refuses more than 100 files at once', async () => {
    const { status } = await upload(multipart(...Array.from({ length: 101 }, (_, i) => filePart(`f${i}`, 'x'))))
    assert.equal(status, 400)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('takes a file as large as the limit; refuses one byte more with 413, keeps nothing and closes the connection', async () => {
    assert.equal((await upload(multipart(filePart('full', Buffer.alloc(MAX_BYTES))))).status, 201)
    rmSync(join(folder, 'full'))
    const connection = await openRaw(api.url)
    connection.socket.write(uploadHead(100_000_000))
    connection.socket.write(filePart('small', 'x'))
    connection.socket.write(filePart('large', Buffer.alloc(MAX_BYTES + 1)))
    const { status, text } = await connection.answer()
    assert.equal(status, 413)
    assert.match(text, /\r\nConnection: close\r\n/)
    assert.match(text, /"file large is larger than 4000000 bytes"/)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('leaves nothing when the client goes half way', async () => {
    const connection = await openRaw(api.url)
    connection.socket.write(uploadHead(10_000_000))
    connection.socket.write(filePart('half', Buffer.alloc(100_000)).subarray(0, 90_000))
    await until('the upload has begun', () => readdirSync(folder).length === 1)
    connection.abandon()
    await until('nothing is left of it', () => readdirSync(folder).length === 0)
    assert.equal((await api.get('/healthz')).status, 200)
  })

  it('keeps one whole file of two that are uploaded under one name at once', async () => {
    const [a, b] = [Buffer.alloc(3_000_000, 'a'), Buffer.alloc(2_000_000, 'b')]
    const answers = await Promise.all([a, b].map((content) => upload(multipart(filePart('same', content)))))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    const kept = readFileSync(join(folder, 'same'))
    assert.ok(kept.equals(a) || kept.equals(b))
    assert.deepEqual(readdirSync(folder), ['same'])
  })

  it('neither lists nor serves what an agent planted: links, second names, folders, hidden files', async () => {
    const secret = join(api.volumeRoot, 'secret')
    writeFileSync(secret, 'secret')
    mkdirSync(join(folder, 'folder'))
    symlinkSync(secret, join(folder, 'link'))
    linkSync(secret, join(folder, 'second'))
    writeFileSync(join(folder, '.hidden'), 'x')
    writeFileSync(join(folder, 'back\\slash'), 'x')
    assert.deepEqual((await api.get('/api/drops')).body, [])
    for (const name of ['folder', 'link', 'second', 'missing']) {
      const { status, body } = await api.get(`/api/drops/${name}`)
      assert.deepEqual([name, status, body], [name, 404, { error: 'drop not found' }])
    }
    for (const name of ['.hidden', '..%2fsecret', '%2e%2e%2fsecret', 'back%5cslash', 'a%00b', '..%5c..%5csecret'])
      assert.equal((await api.get(`/api/drops/${name}`)).status, 400, name)
  })

  it('replaces a link under the name of an upload, and never writes through it', async () => {
    const secret = join(api.volumeRoot, 'secret')
    writeFileSync(secret, 'secret')
    symlinkSync(secret, join(folder, 'a'))
    assert.equal((await upload(multipart(filePart('a', 'mine')))).status, 201)
    assert.equal(readFileSync(secret, 'utf8'), 'secret')
    assert.equal((await api.get('/api/drops/a')).text, 'mine')
  })

  it('answers 409 when a folder has the name', async () => {
    mkdirSync(join(folder, 'taken'))
    const { status, error } = await upload(multipart(filePart('taken', 'x')))
    assert.deepEqual([status, error], [409, 'folder taken already exists'])
    assert.deepEqual(readdirSync(folder), ['taken'])
  })

  it('removes what an upload left that ended with its process, but nothing that may still be written', async () => {
    const [old, recent] = [`.upload-${'0'.repeat(24)}`, `.upload-${'1'.repeat(24)}`]
    for (const name of [old, recent, '.upload-notes']) writeFileSync(join(folder, name), 'x')
    for (const name of [old, '.upload-notes']) utimesSync(join(folder, name), 1, 1)
    await upload(multipart(filePart('a', 'x')))
    assert.deepEqual(readdirSync(folder).sort(), [recent, '.upload-notes', 'a'])
  })

  it('answers a full disk with 507, and any other failure of it as the failure it is', () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const refusal = toStorageRefusal(Object.assign(new Error(code), { code }))
      assert.ok(isApiError(refusal, 'insufficient_storage') && refusal.status === 507)
    }
    const other = new Error('EIO')
    assert.equal(toStorageRefusal(other), other)
  })
})
