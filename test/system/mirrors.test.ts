import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALTERNATES_PATH, parseAlternates } from '../../core/execution/alternates.ts'
import { clonePath, mirrorsPath } from '../../core/execution/layout.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { type GitOverHttp, serveGitOverHttp } from '../helpers/git-over-http.ts'
import { type Remote, gitIn, makeRemote } from '../helpers/repository.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

const PASSWORD = 'only-for-this-test'
const SECRETS = '/api/v1/namespaces/default/secrets'

describe('the whole program, where clones borrow from a mirror', function () {
  let installation: Installation
  let server: Server
  let remote: Remote
  let guarded: GitOverHttp

  before(async function () {
    await needBwrap(this)
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    guarded = await serveGitOverHttp(installation.folder, 'bob', PASSWORD)
    server = await installation.start('--runtime', 'bwrap')
    const metadata = {
      name: 'git',
      labels: { 'slipway.dev/usable-by': 'git' },
      annotations: { 'slipway.dev/git-host': `http://${guarded.host}` },
    }
    const secret = { metadata, type: 'kubernetes.io/basic-auth', stringData: { username: 'bob', password: PASSWORD } }
    assert.equal((await server.kube.send('POST', SECRETS, secret)).status, 201)
    const project = {
      id: 'shop',
      name: 'Shop',
      remote_url: `http://${guarded.host}/remote.git`,
      git: { secret_name: 'git' },
    }
    assert.equal((await server.call('POST', '/api/projects', project)).status, 201)
  })
  after(async () => {
    await installation?.dispose()
    await guarded?.close()
  })

  const at = (path: string): string => join(installation.dataDir, 'volume', path)
  const borrowed = (id: string) => {
    const found = parseAlternates(readFileSync(at(`${clonePath(id)}/${ALTERNATES_PATH}`), 'utf8'))
    return found ?? assert.fail(`${id} borrows from nothing of ours`)
  }
  const start = async (id: string, script: string): Promise<void> => {
    await server.create(id, script, { project: 'shop' })
    await server.run(id)
  }

  it('the second task takes from the first one’s mirror what it has, and both push', async () => {
    await start('one', 'echo one > one.txt')
    await server.reaches('one', 'READY')
    const main = remote.commit('main', { 'later.txt': 'later' })
    await start('two', 'cat README.md later.txt > two.txt; git log --format=%s > log.txt')
    await server.reaches('two', 'READY')
    assert.deepEqual(borrowed('two'), borrowed('one'))
    assert.deepEqual(readdirSync(at(mirrorsPath(borrowed('one').key))), ['1'])
    assert.equal(remote.git('show', 'slipway/one:one.txt'), 'one')
    assert.equal(remote.git('show', 'slipway/two:two.txt'), '# Sample\nlater')
    assert.equal(remote.git('show', 'slipway/two:log.txt'), 'change\nfirst')
    const own = readdirSync(at(`${clonePath('two')}/.git/objects`))
    assert.ok(!own.includes(main.slice(0, 2)), 'the clone has the commit itself')
    assert.equal(gitIn(at(clonePath('two')), 'cat-file', '-t', main), 'commit')
  })

  it('an agent can read the mirror, and change neither it nor see its lock', async () => {
    await start(
      'curious',
      `mirror=$(cd .git/objects && realpath "$(cat info/alternates)/..")
      { touch "$mirror/x" "$mirror/../x" || rm -rf "$mirror" || chmod -R u+w "$mirror"; } 2> tried.txt && exit 9
      ls -a "$mirror/../.." > seen.txt; test -e "$mirror/HEAD" && git --git-dir="$mirror" rev-parse HEAD > head.txt`,
    )
    await server.reaches('curious', 'READY')
    assert.equal(remote.git('show', 'slipway/curious:seen.txt'), '.\n..\nmirrors')
    assert.match(remote.git('show', 'slipway/curious:tried.txt'), /Read-only file system/)
    assert.equal(remote.git('show', 'slipway/curious:head.txt'), remote.git('rev-parse', 'main'))
    assert.ok(existsSync(at(`${mirrorsPath(borrowed('curious').key)}/1/HEAD`)))
  })

  it('a kept clone goes on with its mirror after the Secret has changed, and a fresh one gets another', async () => {
    const asks = `if [ -n "$SERVICE_ANSWER" ]; then git show HEAD:README.md > done.txt; cat draft.txt >> done.txt; exit 0; fi
echo kept > draft.txt; echo '{"text": "Go on?"}' > "$SERVICE_QUESTION_FILE"`
    await start('asking', asks)
    await server.reaches('asking', 'BLOCKED')
    const before = borrowed('asking')
    const change = { metadata: { annotations: { note: 'changed' } } }
    assert.equal(
      (await server.kube.send('PATCH', `${SECRETS}/git`, change, { 'Content-Type': 'application/merge-patch+json' }))
        .status,
      200,
    )
    assert.equal((await server.call('POST', '/api/tasks/asking/answer', { answer: 'yes' })).status, 202)
    await server.reaches('asking', 'READY')
    assert.equal(remote.git('show', 'slipway/asking:done.txt'), '# Sample\nkept')
    assert.deepEqual(borrowed('asking'), before)
    await start('three', 'echo three > three.txt')
    await server.reaches('three', 'READY')
    assert.notEqual(borrowed('three').key, before.key)
    assert.equal(remote.git('show', 'slipway/three:three.txt'), 'three')
  })
})
