import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { type GitOverHttp, serveGitOverHttp } from '../../helpers/git-over-http.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('an execution in a clone with fewer commits or objects', () => {
  let root = ''
  let remote: Remote
  let server: GitOverHttp
  beforeEach(async () => {
    root = makeFolder()
    remote = makeRemote(root, { 'a.txt': 'one\n', 'dir/b.txt': 'b\n' })
    remote.git('config', 'uploadpack.allowFilter', 'true')
    for (const n of [2, 3]) remote.commit('main', { 'a.txt': `${n}\n` })
    remote.commit('side', { 'side.txt': 'side\n' })
    server = await serveGitOverHttp(root, 'bob', 'hunter22')
    mkdirSync(join(root, 'login'))
    writeFileSync(join(root, 'login', 'username'), 'bob')
    writeFileSync(join(root, 'login', 'password'), 'hunter22')
  })
  afterEach(async () => {
    await server.close()
    removeFolder(root)
  })

  const clone = (checkout: RunSpec['checkout'], script: string) =>
    makeExecution(root, { path: `http://${server.host}/remote.git` }, script, {
      gitCredentialsDir: join(root, 'login'),
      gitHost: server.host,
      ...(checkout === undefined ? {} : { checkout }),
    })
  const COMMIT = 'git -c user.name=me -c user.email=me@x'
  const WAYS: readonly NonNullable<RunSpec['checkout']>[] = [
    { depth: 1 },
    { filter: 'blob:none' },
    { filter: 'tree:0', sparse: ['dir'] },
    { depth: 2, filter: 'blob:limit=1' },
  ]

  for (const checkout of WAYS) {
    const named = JSON.stringify(checkout)

    it(`has only them, and delivers onto a base that has moved on (${named})`, async () => {
      const execution = clone(checkout, 'git rev-list --count HEAD; echo new > new.txt')
      for (const step of ['prepare', 'agent'] as const) {
        const end = await execution.step(step)
        assert.equal(end.exitCode, 0, end.stderr)
      }
      assert.equal(execution.read('agent/stdout.log').trim(), String(checkout.depth ?? 3))
      const packs = readdirSync(join(execution.clone, '.git', 'objects', 'pack'))
      assert.equal(
        packs.some((name) => name.endsWith('.promisor')),
        checkout.filter !== undefined,
      )
      remote.commit('main', { 'dir/b.txt': 'moved\n' })
      const end = await execution.step('deliver')
      assert.equal(end.exitCode, 0, end.stderr)
      assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'new.txt')
      const { rebase, commits, baseCommit, undelivered } = execution.result()
      assert.deepEqual(
        [rebase?.result, commits?.length, baseCommit, undelivered],
        ['Rebased', 1, remote.git('rev-parse', 'main'), undefined],
      )
      assert.equal(remote.git('rev-list', '--count', 'slipway/demo'), '5')
      assert.equal(gitIn(execution.clone, 'status', '--short'), '')
    })
  }

  it('delivers a merge of another branch, and again from a kept clone', async () => {
    const script = `${COMMIT} merge -q --no-edit --allow-unrelated-histories -s ours origin/side; echo again >> more.txt`
    const execution = clone({ depth: 1 }, script)
    const end = await execution.all()
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'more.txt')
    rmSync(join(execution.folder, 'result.json'))
    const kept = { keepClone: true, jobNumber: 2, baseCommit: remote.git('rev-parse', 'main') }
    const again = await execution.all(kept)
    assert.equal(again.exitCode, 0, again.stderr)
    assert.equal(remote.git('show', 'slipway/demo:more.txt'), 'again\nagain')
  })

  it('is fetched with a person’s own login, and without the filters of their git', async () => {
    remote.commit('main', { '.gitattributes': '*.txt filter=theirs\n' })
    const home = join(root, 'home')
    mkdirSync(home)
    writeFileSync(join(home, '.git-credentials'), `http://bob:hunter22@${server.host}\n`)
    const settings = '[credential]\n\thelper = store\n[filter "theirs"]\n\tsmudge = tr a-z A-Z\n'
    writeFileSync(join(home, '.gitconfig'), settings)
    const execution = makeExecution(root, { path: `http://${server.host}/remote.git` }, 'true', {
      gitHome: home,
      checkout: { filter: 'blob:none' },
    })
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.equal(readFileSync(join(execution.clone, 'dir', 'b.txt'), 'utf8'), 'b\n')
  })
})
