/** One machine behind a proxy that inspects TLS: executionPods.env and executionPods.caBundle, through the whole program. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aCertificate } from '../helpers/certificate.ts'
import { type ConnectProxy, startConnectProxy } from '../helpers/connect-proxy.ts'
import { type GitOverHttp, gitHandler, serveGitOverHttp } from '../helpers/git-over-http.ts'
import { makeRemote } from '../helpers/repository.ts'
import { openStandIn } from '../runner/deliveries/host-stand-in.ts'
import { type Installation, makeInstallation } from './installation.ts'

const CORE = '/api/v1/namespaces/default'

describe('a machine that only a proxy leads out of', function () {
  let installation: Installation
  let guarded: Pick<GitOverHttp, 'close'>
  let proxy: ConnectProxy
  afterEach(async () => {
    await installation.dispose()
    await proxy.close()
    await guarded.close()
  })

  it('runs a task of a repository behind it, with the certificates of a ConfigMap', async () => {
    installation = makeInstallation()
    const pair = aCertificate('git.invalid')
    const git = await serveGitOverHttp(installation.folder, 'bob', 'pass', pair)
    guarded = git
    proxy = await startConnectProxy({ 'git.invalid:443': Number(git.host.split(':')[1]) })
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
  it("tries repositories and reads commit URLs by the server's own variables", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-proxy-'))
    const pair = aCertificate('git.invalid')
    writeFileSync(join(folder, 'ca.pem'), pair.certificate)
    const commit = 'c'.repeat(40)
    const git = gitHandler(folder, 'bob', 'pass')
    const login = `Basic ${Buffer.from('bob:pass').toString('base64')}`
    const letAllRead: typeof git = (request, response) => {
      request.headers.authorization = login
      git(request, response)
    }
    const host = await openStandIn(() => ({ status: 200, body: commit }), letAllRead, pair)
    guarded = host
    proxy = await startConnectProxy({ 'git.invalid:443': Number(new URL(host.origin).port) })
    installation = makeInstallation({ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
    makeRemote(folder, { 'README.md': '# Far away\n' })
    const server = await installation.start()

    const remote_url = 'https://git.invalid/remote.git'
    const { text } = await server.call('POST', '/api/projects/try', { remote_url })
    assert.match(text, /"outcome":"reachable".*"default_branch":"main"/)
    assert.deepEqual([...new Set(proxy.asked)], ['git.invalid:443'])
    const deployment = { commit_url: 'https://git.invalid/commit' }
    const project = { id: 'far', name: 'Far', remote_url: 'https://git.invalid/remote.git', deployment }
    const made = await server.call('POST', '/api/projects', project)
    assert.equal(made.status, 201, made.text)
    await server.create('work', 'true', { project: 'far' })
    const status = await server.call('GET', '/api/tasks/work/deployment-status')
    assert.match(status.text, new RegExp(`"deployed_commit":"${commit}"`))
    rmSync(folder, { recursive: true })
  })
})
