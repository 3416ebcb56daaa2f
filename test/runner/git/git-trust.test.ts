import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { rootCertificates } from 'node:tls'
import type { CertificatePair } from '../../../lib/x509.ts'
import { parseGitUrl } from '../../../lib/git-url.ts'
import { trustSettings } from '../../../lib/authorities.ts'
import { aCertificate } from '../../helpers/certificate.ts'
import { type GitOverHttp, serveGitOverHttp } from '../../helpers/git-over-http.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a remote whose authority only its project names', () => {
  let root: string
  let remote: Remote
  let pair: CertificatePair
  let server: GitOverHttp
  beforeEach(async () => {
    root = makeFolder()
    mkdirSync(join(root, 'git'))
    remote = makeRemote(join(root, 'git'), { 'a.txt': 'one' })
    pair = aCertificate('127.0.0.1')
    server = await serveGitOverHttp(join(root, 'git'), 'robot', 'pass', pair)
    mkdirSync(join(root, 'secret'))
    writeFileSync(join(root, 'secret', 'username'), 'robot')
    writeFileSync(join(root, 'secret', 'password'), 'pass')
  })
  afterEach(async () => {
    await server.close()
    removeFolder(root)
  })
  const execution = (gitCaBundle: string | undefined, script = 'echo two > b.txt') => {
    const path = `https://${server.host}${remote.path.slice(join(root, 'git').length)}`
    const spec = { gitCredentialsDir: join(root, 'secret'), gitHost: server.host }
    return makeExecution(root, { path }, script, { ...spec, ...(gitCaBundle === undefined ? {} : { gitCaBundle }) })
  }

  it('is cloned and pushed to with its certificate', async () => {
    const end = await execution(pair.certificate).all()
    assert.equal(end.exitCode, 0, end.stderr)
    const branches = remote.git('branch', '--list', '--format=%(refname:short)').split('\n')
    assert.ok(branches.some((name) => name !== 'main' && remote.git('ls-tree', '--name-only', name).includes('b.txt')))
  })

  it('is refused without it, or with that of another, and the error says where it belongs', async () => {
    for (const bundle of [undefined, aCertificate('127.0.0.1').certificate]) {
      const refused = execution(bundle)
      assert.equal((await refused.step('prepare')).exitCode, 1)
      const { error } = refused.result()
      assert.equal(error?.category, 'git')
      assert.match(
        error?.message ?? '',
        /not trusted: give the authority's certificate in the project \(git\.caBundle\)/,
      )
    }
  })

  it('changes nothing in the clone, so that nobody else trusts it', async () => {
    const cloned = execution(pair.certificate)
    assert.equal((await cloned.step('prepare')).exitCode, 0)
    const config = readFileSync(join(cloned.clone, '.git', 'config'), 'utf8')
    assert.ok(!/sslCAInfo/i.test(config), config)
  })

  it('is trusted beside the usual authorities, at its own host, over https only', async () => {
    const folder = makeFolder()
    try {
      const [[name, file] = ['', '']] = await trustSettings(parseGitUrl('https://git.example:8443/x'), 'OURS', {
        env: {},
        tmp: folder,
      })
      assert.equal(name, 'http.https://git.example:8443/.sslCAInfo')
      const text = readFileSync(file, 'utf8')
      assert.ok(text.endsWith('\nOURS\n') && text.includes(rootCertificates[0] ?? 'none'))
      for (const url of ['git@git.example:x', 'http://git.example/x', tmpdir()])
        assert.deepEqual(await trustSettings(parseGitUrl(url), 'OURS', { env: {}, tmp: folder }), [])
      assert.deepEqual(
        await trustSettings(parseGitUrl('https://git.example/x'), undefined, { env: {}, tmp: folder }),
        [],
      )
      assert.deepEqual(readdirSync(folder), ['git-authorities.pem'])
    } finally {
      removeFolder(folder)
    }
  })
})
