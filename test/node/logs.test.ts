import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { type Response, Agent, fetch } from 'undici'
import { NODES } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import { containerPaths } from '../../node/layout.ts'
import { maintainLog } from '../../node/log-file.ts'
import { readLog } from '../../node/log-reader.ts'
import type { CertificatePair } from '../../lib/x509.ts'
import { until } from '../helpers/until.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { type GivenNode, API_SERVER, givenNode } from './given.ts'

interface Ask {
  readonly method?: string
  readonly who?: CertificatePair | 'nobody'
}

describe('the log of a container', () => {
  let given: GivenNode
  beforeEach(async () => {
    given = await givenNode()
  })
  afterEach(() => given.end())

  /** As an API server does; `who`: with another certificate, or none. */
  async function get(path: string, { method = 'GET', who = API_SERVER }: Ask = {}): Promise<Response> {
    const node = await given.api.client.get(NODES, { name: 'here' })
    const port = node.status?.daemonEndpoints?.kubeletEndpoint?.Port
    const login = who === 'nobody' ? {} : { cert: who.certificate, key: who.key }
    const dispatcher = new Agent({ connect: { ...login, rejectUnauthorized: false } })
    return fetch(`https://127.0.0.1:${port}${path}`, { method, dispatcher })
  }
  const logOf = async (query = '', pod = 'pod'): Promise<string> =>
    (await get(`/containerLogs/default/${pod}/main${query}`)).text()

  it('holds both output streams in the order in which they were written', async () => {
    await given.run({ script: 'echo one; echo two >&2; echo three >/dev/stderr; echo four' })
    await given.finished('pod')
    assert.equal(await logOf(), 'one\ntwo\nthree\nfour\n')
  })

  it('keeps binary output byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
    await given.run({ script: `printf '${octal}'` })
    await given.finished('pod')
    const response = await get('/containerLogs/default/pod/main')
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes)
  })

  it('is still had while somebody holds many connections open', async () => {
    await given.run({ script: 'echo text' })
    await given.finished('pod')
    const node = await given.api.client.get(NODES, { name: 'here' })
    const port = node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0
    const held = Array.from({ length: 300 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => undefined))
    try {
      await until('strangers give way', () => held.filter(({ closed }) => closed).length >= 44)
      assert.equal(await logOf(), 'text\n')
    } finally {
      for (const socket of held) socket.destroy()
    }
  })

  for (const [query, expected] of [
    ['?tailLines=2', 'c\nd\n'],
    ['?tailLines=0', ''],
    ['?tailLines=9', 'a\nb\nc\nd\n'],
    ['?limitBytes=3', 'a\nb'],
    ['?tailLines=3&limitBytes=4', 'b\nc\n'],
    ['?sinceSeconds=3600', 'a\nb\nc\nd\n'],
  ] as const) {
    it(`with ${query} is ${JSON.stringify(expected)} of a, b, c, d`, async () => {
      await given.run({ script: 'printf "a\\nb\\nc\\nd\\n"' })
      await given.finished('pod')
      assert.equal(await logOf(query), expected)
    })
  }

  it('shows with timestamps when each line was there', async () => {
    const before = Date.now()
    await given.run({ script: 'echo a; echo b' })
    await given.finished('pod')
    const lines = (await logOf('?timestamps=true')).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.split(' ')[1]),
      ['a', 'b'],
    )
    for (const line of lines) {
      const at = Date.parse(line.split(' ')[0] ?? '')
      assert.ok(at >= before && at <= Date.now(), line)
    }
  })

  it('is followed to the end of the container', async () => {
    await given.run({ script: `echo a; until [ -e ${given.volume}/gate ]; do sleep 0.02; done; echo b` })
    await given.running('pod')
    const response = await get('/containerLogs/default/pod/main?follow=true')
    const rest = response.text()
    await given.run({ name: 'opener', script: `touch ${given.volume}/gate` })
    assert.equal(await rest, 'a\nb\n')
  })

  for (const [path, init, status] of [
    ['/containerLogs/default/pod/main', { who: 'nobody' }, 401],
    ['/containerLogs/default/pod/main', { who: aCertificate('api-server') }, 401],
    ['/containerLogs/default/pod/other', {}, 404],
    ['/containerLogs/default/gone/main', {}, 404],
    ['/containerLogs/default/pod/..%2Fmain', {}, 404],
    ['/elsewhere', {}, 404],
    ['/containerLogs/default/pod/main?tailLines=-1', {}, 400],
    ['/containerLogs/default/pod/main?previous=true', {}, 400],
    ['/containerLogs/default/pod/main', { method: 'POST' }, 405],
  ] as const) {
    const from = 'who' in init ? ` from ${init.who === 'nobody' ? 'nobody' : 'a certificate of its own'}` : ''
    it(`answers ${'method' in init ? init.method : 'GET'} ${path}${from} with ${status}`, async () => {
      await given.run({ script: 'true' })
      await given.finished('pod')
      assert.equal((await get(path, init)).status, status)
    })
  }

  it('loses nothing of a large output, which does not block the container', async () => {
    const bytes = 9_000_000
    await given.run({ script: `head -c ${bytes} /dev/zero | tr '\\0' x` })
    const pod = await given.finished('pod')
    const paths = containerPaths(given.dir, pod.metadata.uid ?? '', 'main')
    assert.equal((await stat(paths.log)).size, bytes)
  })

  it('is rotated without a lost line while the container goes on writing', async () => {
    const gate = `${given.volume}/gate`
    await given.run({ script: `seq 1 1000; until [ -e ${gate} ]; do sleep 0.02; done; seq 1001 2000` })
    const pod = await given.running('pod')
    const paths = containerPaths(given.dir, pod.metadata.uid ?? '', 'main')
    await until('half of it is there', async () => (await readFile(paths.log, 'utf8')).endsWith('\n1000\n'))
    await maintainLog(paths, 0, new Date(), 1_000)
    await given.run({ name: 'opener', script: `touch ${gate}` })
    await given.finished('pod')
    assert.match(await readFile(paths.log, 'utf8'), /^1001\n/)
    const all: Uint8Array[] = []
    const query = { follow: false, timestamps: false }
    for await (const part of readLog(paths, query, systemClock, new AbortController().signal)) all.push(part)
    const expected = Array.from({ length: 2000 }, (_, i) => `${i + 1}\n`).join('')
    assert.equal(Buffer.concat(all).toString(), expected)
    assert.equal(await logOf('?tailLines=1500'), expected.slice(expected.indexOf('\n501\n') + 1))
  })
})
