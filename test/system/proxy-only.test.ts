/** One machine behind a proxy that inspects TLS: executionPods.env and executionPods.caBundle, through the whole program. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aCertificate } from '../helpers/certificate.ts'
import type { ConnectProxy } from '../helpers/connect-proxy.ts'
import { startConnectProxy } from '../helpers/connect-proxy.ts'
import type { GitOverHttp } from '../helpers/git-over-http.ts'
import { serveGitOverHttp } from '../helpers/git-over-http.ts'
import { makeRemote } from '../helpers/repository.ts'
import type { Installation } from './installation.ts'
import { makeInstallation } from './installation.ts'

const CORE = '/api/v1/namespaces/default'

describe('a machine that only a proxy leads out of', function () {
  let installation: Installation
  let guarded: GitOverHttp
  let proxy: ConnectProxy
  afterEach(async () => {
    await installation.dispose()
    await proxy.close()
    await guarded.close()
  })

  it('runs a task of a repository behind it, with the certificates of a ConfigMap', async () => {
    installation = makeInstallation()
    const pair = aCertificate('git.invalid')
    guarded = await serveGitOverHttp(installation.folder, 'bob', 'pass', pair)
    proxy = await startConnectProxy({ 'git.invalid:443': Number(guarded.host.split(':')[1]) })
    const remote = makeRemote(installation.folder, { 'README.md': '# Far away\n' })
    const config = join(installation.folder, 'config.yaml')
    const caBundle = { configMap: 'authorities', key: 'ours.pem' }
    const executionPods = { env: [{ name: 'HTTPS_PROXY', value: proxy.url }], caBundle }
    const gitCredentials = [{ host: 'git.invalid', secretName: 'git' }]
    writeFileSync(config, JSON.stringify({ executionPods, gitCredentials }))
    const server = await installation.start('--config', config)
    const metadata = {
      name: 'git',
      labels: { 'slipway.dev/usable-by': 'git' },
      annotations: { 'slipway.dev/git-host': 'git.invalid' },
    }
    const secret = { metadata, type: 'kubernetes.io/basic-auth', stringData: { username: 'bob', password: 'pass' } }
    assert.equal((await server.kube.send('POST', `${CORE}/secrets`, secret)).status, 201)
    const authorities = { metadata: { name: 'authorities' }, data: { 'ours.pem': pair.certificate } }
    assert.equal((await server.kube.send('POST', `${CORE}/configmaps`, authorities)).status, 201)

    const script = 'test -s "$SSL_CERT_FILE" && echo "$HTTPS_PROXY" > proxy.txt'
    await server.create('far', script, { repository_url: 'https://git.invalid/remote.git' })
    await server.run('far')
    await server.reaches('far', 'READY')
    assert.equal(remote.git('show', 'slipway/far:proxy.txt').trim(), proxy.url)
    assert.deepEqual([...new Set(proxy.asked)], ['git.invalid:443'])
  })
})
