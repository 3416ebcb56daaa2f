import assert from 'node:assert/strict'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig, namespaceOf } from '../../kube/config.ts'
import { CONFIG_MAPS } from '../../kube/resources.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { configMap, kubeconfig } from './fake-api.ts'

const OPTIONS = { userAgent: 'slipway-test/1', fieldManager: 'slipway-test', requestTimeoutMs: 30_000 }
const KEY = { namespace: 'ns', name: 'a' }

describe('a kubeconfig', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-kube-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const twoContexts = JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: {} }],
    contexts: [
      { name: 'one', context: { cluster: 'c', user: 'u', namespace: 'first' } },
      { name: 'two', context: { cluster: 'c', user: 'u' } },
    ],
    'current-context': 'one',
  })

  it('gives the namespace of its current context, and none when that names none', async () => {
    assert.equal(namespaceOf(await loadKubeConfig({ kind: 'content', content: twoContexts })), 'first')
    const two = await loadKubeConfig({ kind: 'content', content: twoContexts, context: 'two' })
    assert.equal(namespaceOf(two), undefined)
  })

  it('is read from the given file, whatever KUBECONFIG says', async () => {
    const path = join(folder, 'config')
    await writeFile(path, twoContexts)
    const before = process.env['KUBECONFIG']
    process.env['KUBECONFIG'] = join(folder, 'another')
    try {
      assert.equal(namespaceOf(await loadKubeConfig({ kind: 'file', path })), 'first')
    } finally {
      if (before === undefined) delete process.env['KUBECONFIG']
      else process.env['KUBECONFIG'] = before
    }
  })

  it('without the asked context is refused, naming the context', async () => {
    const source = { kind: 'content', content: twoContexts, context: 'three' } as const
    await assert.rejects(loadKubeConfig(source), /the kubeconfig has no context "three"/)
  })

  it('in-cluster outside of a pod is refused', async () => {
    await assert.rejects(loadKubeConfig({ kind: 'inCluster', environment: {} }), /not in a pod/)
  })

  it('in-cluster presents the token in the service account’s file, and gives its namespace', async () => {
    const account = join(folder, 'var/run/secrets/kubernetes.io/serviceaccount')
    await mkdir(account, { recursive: true })
    const server = await startTls()
    await writeFile(join(account, 'ca.crt'), server.ca)
    await writeFile(join(account, 'token'), 'pod-token')
    await writeFile(join(account, 'namespace'), 'slipway\n')
    const environment = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port) }
    const config = await loadKubeConfig({ kind: 'inCluster', environment, root: folder })
    const client = createClient(config, OPTIONS)
    await client.get(CONFIG_MAPS, KEY)
    assert.equal(namespaceOf(config), 'slipway')
    assert.deepEqual(server.authorizations, ['Bearer pod-token'])
    await client.close()
    await server.close()
  })

  it('with an exec plugin presents the plugin’s token, and the next one when the server refuses it', async () => {
    const server = await startTls({ refuse: 'Bearer token-1' })
    const plugin = join(folder, 'plugin.mjs')
    await writeFile(
      plugin,
      `import { appendFileSync, readFileSync } from 'node:fs'
       const calls = new URL('calls', import.meta.url)
       appendFileSync(calls, 'x')
       const token = 'token-' + readFileSync(calls, 'utf8').length
       const status = { token, expirationTimestamp: '2000-01-01T00:00:00Z' }
       console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }))`,
    )
    const content = kubeconfig(server.url, {
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: [plugin] },
    })
    const client = createClient(await loadKubeConfig({ kind: 'content', content }), OPTIONS)
    await client.get(CONFIG_MAPS, KEY)
    assert.deepEqual(server.authorizations, ['Bearer token-1', 'Bearer token-2'])
    await client.close()
    await server.close()
  })

  it('with a foreign certificate authority gets no connection', async () => {
    const [server, other] = [await startTls(), await startTls()]
    const cluster = { server: server.url, 'certificate-authority-data': Buffer.from(other.ca).toString('base64') }
    const document = { ...JSON.parse(kubeconfig(server.url)), clusters: [{ name: 'test', cluster }] }
    const config = await loadKubeConfig({ kind: 'content', content: JSON.stringify(document) })
    const client = createClient(config, OPTIONS)
    await assert.rejects(client.get(CONFIG_MAPS, KEY), /certificate/)
    assert.deepEqual(server.authorizations, [])
    await client.close()
    await Promise.all([server.close(), other.close()])
  })
})

/** An HTTPS server with a certificate of its own that notes who asks. */
async function startTls({ refuse }: { readonly refuse?: string } = {}) {
  const { certificate, key } = aCertificate('127.0.0.1')
  const authorizations: (string | undefined)[] = []
  const server = createServer({ key, cert: certificate }, (request, response) => {
    authorizations.push(request.headers.authorization)
    response.statusCode = request.headers.authorization === refuse ? 401 : 200
    response.end(JSON.stringify(configMap('a', '1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    ca: certificate,
    authorizations,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
