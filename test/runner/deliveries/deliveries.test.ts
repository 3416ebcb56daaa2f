import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { join } from 'node:path'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { gitHandler } from '../../helpers/git-over-http.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

type Delivery = NonNullable<RunSpec['delivery']>

describe('a delivery', () => {
  let root = ''
  let remote: Remote
  let baseCommit = ''
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: '1\n2\n3\n4\n5\n', b: 'b' })
    baseCommit = remote.git('rev-parse', 'main')
  })
  afterEach(() => removeFolder(root))

  /** Of the branch as it is, unless the test says which commit was reviewed. */
  async function deliver(asked: Delivery, jobNumber = 1): Promise<ExecutionResult> {
    const isMerge = asked.kind === 'Merge' && !('commit' in asked)
    const delivery = isMerge ? { ...asked, commit: remote.git('rev-parse', asked.branch) } : asked
    const execution = makeExecution(root, remote, '', { delivery, jobNumber, branch: delivery.branch, baseCommit })
    const end = await execution.step('deliver')
    const result = execution.result()
    assert.equal(end.exitCode, result.outcome === 'succeeded' ? 0 : 1, end.stderr)
    return result
  }

  /** As the remote's `update` hook, which runs when the push is about to take effect. */
  function atPush(lines: string): void {
    const hook = join(remote.path, 'hooks', 'update')
    mkdirSync(join(remote.path, 'hooks'), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\nunset GIT_QUARANTINE_PATH\n${lines}\n`)
    chmodSync(hook, 0o755)
  }

  describe('that makes a branch', () => {
    const story: Delivery = { kind: 'CreateBranch', branch: 'story/s' }

    it('makes it at the default branch', async () => {
      const { outcome, delivered } = await deliver(story)
      const main = remote.git('rev-parse', 'main')
      assert.deepEqual([outcome, delivered?.commit, remote.git('rev-parse', 'story/s')], ['succeeded', main, main])
    })

    it('makes it at the base that is named', async () => {
      const release = remote.commit('release', { r: '1' })
      await deliver({ ...story, base: 'release' })
      assert.equal(remote.git('rev-parse', 'story/s'), release)
    })

    it('can be repeated, also when the base has moved in between', async () => {
      const first = (await deliver(story)).delivered?.commit
      remote.commit('main', { b: '2' })
      const again = await deliver(story, 2)
      assert.deepEqual([again.outcome, again.delivered?.commit], ['succeeded', first])
    })

    it('refuses a branch that holds other work, naming it, and leaves it as it is', async () => {
      const theirs = remote.commit('story/s', { c: 'theirs' })
      const { outcome, error } = await deliver(story)
      assert.deepEqual([outcome, error?.category], ['failed', 'git'])
      assert.match(error?.message ?? '', /branch story\/s exists on .* holds work that main does not have/)
      assert.equal(remote.git('rev-parse', 'story/s'), theirs)
    })

    it('refuses the default branch', async () => {
      assert.match((await deliver({ ...story, branch: 'main' })).error?.message ?? '', /main is the default branch/)
    })

    it('says that a base is missing', async () => {
      const { error } = await deliver({ ...story, base: 'nowhere' })
      assert.match(error?.message ?? '', /has no branch nowhere/)
    })

    it('judges what somebody else made of the branch while it was pushed', async () => {
      const theirs = remote.commit('theirs', { c: 'theirs' })
      atPush(`test -e once && exit 0; touch once; git update-ref refs/heads/story/s ${theirs}`)
      assert.match((await deliver(story)).error?.message ?? '', /holds work/)
      assert.equal(remote.git('rev-parse', 'story/s'), theirs)
    })
  })

  describe('that merges', () => {
    const merge: Delivery = { kind: 'Merge', branch: 'slipway/demo', title: 'Do the\ndemo' }

    it('moves the default branch forward where it has nothing of its own', async () => {
      const work = remote.commit('slipway/demo', { c: '1' })
      const { outcome, delivered } = await deliver(merge)
      assert.deepEqual([outcome, delivered?.commit, remote.git('rev-parse', 'main')], ['succeeded', work, work])
    })

    it('makes a merge commit where both have gone on, and keeps both sides', async () => {
      remote.commit('slipway/demo', { a: '1\n2\n3\n4\nfive\n' })
      const main = remote.commit('main', { a: 'one\n2\n3\n4\n5\n' })
      const { delivered } = await deliver(merge)
      assert.equal(remote.git('rev-parse', 'main'), delivered?.commit)
      assert.equal(remote.git('show', 'main:a'), 'one\n2\n3\n4\nfive')
      assert.equal(
        remote.git('log', '-1', '--format=%s|%b|%an|%P', 'main').replaceAll('\n', ''),
        `Merge branch 'slipway/demo'|Do the demo|Slipway|${main} ${remote.git('rev-parse', 'slipway/demo')}`,
      )
    })

    it('can be repeated: what is merged is found merged', async () => {
      remote.commit('slipway/demo', { c: '1' })
      remote.commit('main', { d: '1' })
      const first = await deliver(merge)
      const again = await deliver(merge, 2)
      assert.deepEqual([again.outcome, again.delivered], ['succeeded', first.delivered])
    })

    it('names the files that conflict and pushes nothing', async () => {
      remote.commit('slipway/demo', { a: 'mine', b: 'mine', c: 'mine' })
      const main = remote.commit('main', { a: 'theirs', b: 'theirs' })
      const { outcome, error, conflicts } = await deliver(merge)
      assert.deepEqual([outcome, error?.category, conflicts], ['failed', 'git', ['a', 'b']])
      assert.match(error?.message ?? '', /slipway\/demo conflicts with main in a, b; /)
      assert.equal(remote.git('rev-parse', 'main'), main)
    })

    it('merges anew when the default branch moves between fetch and push', async () => {
      remote.commit('slipway/demo', { c: '1' })
      const theirs = remote.commit('theirs', { d: '1' })
      atPush(`test -e once && exit 0; touch once; git update-ref refs/heads/main ${theirs}`)
      assert.equal((await deliver(merge)).outcome, 'succeeded')
      assert.equal(remote.git('show', 'main:c'), '1')
      assert.equal(remote.git('show', 'main:d'), '1')
    })

    it('says that the branch is gone', async () => {
      const reviewed = remote.commit('slipway/demo', { c: '1' })
      remote.git('update-ref', '-d', 'refs/heads/slipway/demo')
      assert.match(
        (await deliver({ ...merge, commit: reviewed })).error?.message ?? '',
        /slipway\/demo is not on .* any more/,
      )
    })

    describe('beside a mirror', () => {
      const mirror = '0123456789abcdef0123456789abcdef'
      const large = randomBytes(300_000).toString('base64')
      let host: Server
      let sent = 0
      beforeEach(async () => {
        sent = 0
        host = createServer(gitHandler(root, 'bob', 'hunter22')).listen(0, '127.0.0.1')
        host.on('connection', (socket) => socket.once('close', () => (sent += socket.bytesWritten)))
        await once(host, 'listening')
        mkdirSync(join(root, 'login'))
        writeFileSync(join(root, 'login', 'username'), 'bob')
        writeFileSync(join(root, 'login', 'password'), 'hunter22')
      })
      afterEach(() => {
        host.closeAllConnections()
        host.close()
      })

      /** Brings the mirror up to date. */
      type Prepare = () => Promise<unknown>
      type Damage = (mirrors: string, prepare: Prepare) => unknown

      /** Merges work whose clone borrowed from a mirror, after `before`. */
      async function tryMerge(before: (mirrors: string, prepare: Prepare) => unknown, script = 'echo 1 > c') {
        const address = host.address()
        const name = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
        const source = { path: `http://${name}/remote.git` }
        const common = { mirror, gitCredentialsDir: join(root, 'login'), gitHost: name }
        baseCommit = remote.commit('main', { large })
        assert.equal((await makeExecution(root, source, script, common).all()).exitCode, 0)
        const prepare: Prepare = () =>
          makeExecution(root, source, '', { ...common, execution: 'demo-2' }).step('prepare')
        await before(join(root, 'volume', 'repositories', mirror, 'mirrors'), prepare)
        sent = 0
        const delivery = { ...merge, commit: remote.git('rev-parse', 'slipway/demo') }
        const spec = { ...common, execution: 'demo-d1', delivery, branch: delivery.branch, baseCommit }
        const execution = makeExecution(root, source, '', spec)
        const { stderr } = await execution.step('deliver')
        return { stderr, result: execution.result() }
      }

      async function mergeWork(damage: Damage = () => undefined): Promise<void> {
        const { stderr, result } = await tryMerge((mirrors, prepare) => {
          remote.commit('main', { d: '1' })
          return damage(mirrors, prepare)
        })
        assert.equal(result.outcome, 'succeeded', stderr)
        assert.deepEqual([remote.git('show', 'main:c'), remote.git('show', 'main:d')], ['1', '1'])
      }

      it('fetches only what that lacks', async () => {
        await mergeWork()
        assert.ok(sent < 30_000, `${sent} bytes came for a repository with a file of 400 kB`)
      })

      const packsOf = (mirrors: string): string[] => {
        const folder = join(mirrors, '1', 'objects', 'pack')
        return readdirSync(folder).map((file) => join(folder, file))
      }
      const DAMAGES: Readonly<Record<string, Damage>> = {
        // Its beginning and its end, by which a cut one is known, stay.
        'has unreadable objects': (mirrors) => {
          const pack = packsOf(mirrors).find((file) => file.endsWith('.pack')) ?? ''
          const content = readFileSync(pack)
          content.fill(0, 20, content.length - 32)
          chmodSync(pack, 0o644)
          writeFileSync(pack, content)
        },
        'has lost objects without a trace': async (mirrors, prepare) => {
          const before = packsOf(mirrors)
          await prepare()
          assert.ok(packsOf(mirrors).length > before.length)
          for (const file of before) rmSync(file)
        },
        'is gone': (mirrors) => rmSync(mirrors, { recursive: true }),
        'cannot be opened': (mirrors) => {
          rmSync(mirrors, { recursive: true })
          writeFileSync(mirrors, '')
        },
      }
      for (const [what, damage] of Object.entries(DAMAGES))
        it(`fetches all where that ${what}`, () => mergeWork(damage))

      it('refuses for the same reasons as without one', async () => {
        const conflict = await tryMerge(() => remote.commit('main', { a: 'theirs' }), 'echo mine > a')
        assert.match(conflict.result.error?.message ?? '', /conflicts with main in a/)
        assert.match(conflict.stderr, /once more without it/)
      })
    })

    it('tells what a host says that refuses', async () => {
      remote.commit('slipway/demo', { c: '1' })
      atPush('echo "main is protected" >&2; exit 1')
      const { error } = await deliver(merge)
      assert.match(error?.message ?? '', /refused the push[^]*main is protected/)
    })
  })
})
