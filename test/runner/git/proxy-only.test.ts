import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { CertificatePair } from '../../../lib/x509.ts'
import { aCertificate } from '../../helpers/certificate.ts'
import { type ConnectProxy, startConnectProxy } from '../../helpers/connect-proxy.ts'
import { type GitOverHttp, gitHandler, serveGitOverHttp } from '../../helpers/git-over-http.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

// No name server knows it (RFC 6761): only the proxy leads there.
const HOST = 'git.invalid'

describe('a network that only a proxy leads out of, with an authority of its own', () => {
  let root: string
  let remote: Remote
  let pair: CertificatePair
  let server: GitOverHttp
  let proxy: ConnectProxy
  beforeEach(async () => {
    root = makeFolder()
    mkdirSync(join(root, 'git'))
    remote = makeRemote(join(root, 'git'), { 'a.txt': 'one' })
    pair = aCertificate(HOST)
    server = await serveGitOverHttp(join(root, 'git'), 'robot', 'pass', pair)
    proxy = await startConnectProxy({ [`${HOST}:443`]: Number(server.host.split(':')[1]) })
    mkdirSync(join(root, 'secret'))
    writeFileSync(join(root, 'secret', 'username'), 'robot')
    writeFileSync(join(root, 'secret', 'password'), 'pass')
    writeFileSync(join(root, 'ca.crt'), pair.certificate)
  })
  afterEach(async () => {
    await proxy.close()
    await server.close()
    removeFolder(root)
  })
  const url = (scheme = 'https'): string => `${scheme}://${HOST}${remote.path.slice(join(root, 'git').length)}`
  const execution = (script: string, more: Record<string, string>, from = url()): TestExecution => {
    const spec = { gitCredentialsDir: join(root, 'secret'), gitHost: HOST, passEnv: Object.keys(more) }
    return makeExecution(root, { path: from }, script, spec, more)
  }

  for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])
    it(`is left by git through the proxy of ${name}`, async () => {
      const env = { [name]: proxy.url, NODE_EXTRA_CA_CERTS: join(root, 'ca.crt') }
      const end = await execution('echo two > b.txt', env).all()
      assert.equal(end.exitCode, 0, end.stderr)
      assert.ok(proxy.asked.length > 1)
      assert.deepEqual([...new Set(proxy.asked)], [`${HOST}:443`])
      assert.match(remote.git('ls-tree', '--name-only', 'slipway/demo'), /b\.txt/)
    })

  it('is left by a clone and a push over http, which the proxy forwards', async () => {
    const git = gitHandler(join(root, 'git'), 'robot', 'pass')
    // Slipway gives no password to a server without TLS.
    const plain = createServer((request, response) => {
      request.headers.authorization = `Basic ${Buffer.from('robot:pass').toString('base64')}`
      git(request, response)
    })
    await once(plain.listen(0, '127.0.0.1'), 'listening')
    const forwarding = await startConnectProxy({ [`${HOST}:80`]: (plain.address() as AddressInfo).port })
    const end = await execution('echo two > b.txt', { http_proxy: forwarding.url }, url('http')).all()
    await forwarding.close()
    plain.close()
    assert.equal(end.exitCode, 0, end.stderr)
    const asked = forwarding.asked.map((target) => new URL(target).pathname)
    for (const service of ['/git-upload-pack', '/git-receive-pack'])
      assert.ok(
        asked.some((path) => path.endsWith(service)),
        asked.join(', '),
      )
    assert.match(remote.git('ls-tree', '--name-only', 'slipway/demo'), /b\.txt/)
  })

  it('is not left through the proxy for a host that NO_PROXY names', async () => {
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: join(root, 'ca.crt'), NO_PROXY: HOST }
    assert.equal((await execution('true', env).step('prepare')).exitCode, 1)
    assert.deepEqual(proxy.asked, [])
  })

  it('is not trusted without its authority', async () => {
    const untrusting = execution('true', { HTTPS_PROXY: proxy.url })
    assert.equal((await untrusting.step('prepare')).exitCode, 1)
    assert.match(untrusting.result().error?.message ?? '', /not trusted/)
  })

  it('is left by the agent and its programs, which trust the authority beside the usual ones', async () => {
    const script = `cp "$SSL_CERT_FILE" authorities.pem; env > env.txt; git -c credential.helper= ls-remote ${url().replace('//', '//robot:pass@')} > refs.txt`
    const run = execution(script, { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: join(root, 'ca.crt') })
    const end = await run.all()
    assert.equal(end.exitCode, 0, end.stderr)
    const read = (file: string): string => readFileSync(join(run.clone, file), 'utf8')
    assert.match(read('refs.txt'), /refs\/heads\/main/)
    assert.ok(read('authorities.pem').includes(pair.certificate.trim()))
    assert.ok(read('authorities.pem').includes(rootCertificates[0] ?? 'none'))
    const variables = ['SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'CARGO_HTTP_CAINFO']
    for (const name of variables) assert.match(read('env.txt'), new RegExp(`^${name}=/.*authorities\\.pem$`, 'm'))
    assert.match(read('env.txt'), /^NODE_EXTRA_CA_CERTS=.*ca\.crt$/m)
  })
})
