import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { type Oddities, AGENT_COMMANDS, makeWildRemote, writeFilter } from '../../helpers/wild-repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('work that is in no commit of the branch', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  async function run(script: string, odd: Oddities = {}) {
    const remote = makeWildRemote(root, odd)
    const execution = makeExecution(root, remote, script)
    const end = await execution.all()
    const has = remote.git('branch', '--list', 'slipway/demo') !== ''
    const files = has ? remote.git('diff', '--no-renames', '--name-only', 'main', 'slipway/demo').split('\n') : []
    return { execution, end, files, result: execution.result() }
  }

  const paths = ({ undelivered = [] }: ReturnType<TestExecution['result']>) => undelivered.map(({ path }) => path)

  it('is not the files of a repository that a scaffolder made: they are delivered, what it ignores is not', async () => {
    const { files, result, end } = await run(AGENT_COMMANDS.scaffold)
    assert.deepEqual(files, ['app/.gitignore', 'app/later.js', 'app/src/main.js'], end.stderr)
    assert.deepEqual([result.outcome, result.undelivered], ['succeeded', undefined])
  })

  it('is not those of one without a commit, nor of one inside another, and the log says what was left out', async () => {
    const script = `${AGENT_COMMANDS.scaffoldUnborn}; git init -q app/deep; echo 1 > app/deep/x`
    const remote = makeWildRemote(root)
    const execution = makeExecution(root, remote, script)
    await execution.step('prepare')
    assert.match(
      (await execution.step('agent')).stderr,
      /app\/ is a repository without a remote.*its \.git is left out/,
    )
    await execution.step('deliver')
    assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'app/deep/x\napp/main.js')
  })

  it('is the changes in a clone of another repository', async () => {
    const other = makeRemote(join(root, 'other'), { x: '1' })
    const clone = `git clone -q ${other.path} vendor/x`
    const { result, files } = await run(`${clone}; echo 2 > vendor/x/x; echo 2 > b.txt`)
    assert.deepEqual([files, paths(result), result.undeliveredCount], [['b.txt'], ['vendor/x'], 1])
    assert.match(result.undelivered?.[0]?.reason ?? '', /clone of .*other.* changes that are nowhere else/)
  })

  it('is told, and is no failure, for a mere clone of another repository', async () => {
    const other = makeRemote(join(root, 'other'), { x: '1' })
    const { result } = await run(`git clone -q ${other.path} vendor/x`)
    assert.deepEqual([result.outcome, paths(result)], ['succeeded', ['vendor/x']])
  })

  const COMMIT = 'git -c user.name=Ada -c user.email=ada@example.com commit -q --allow-empty -m x'
  const DAMAGED = {
    'a repository of a format that git does not know': [
      'git init -q n; git -C n config core.repositoryformatversion 1; git -C n config extensions.foo true; echo 1 > n/x',
      ['n', /a repository that git cannot read: .*foo/s],
    ],
    'a repository with settings that git cannot read': [
      "git init -q n; echo '[broken' > n/.git/config; echo 1 > n/x",
      ['n', /a repository that git cannot read: .*bad config/s],
    ],
    'a clone with a damaged index': [
      `git init -q n; cd n; ${COMMIT}; git remote add origin http://127.0.0.1/x; echo x > .git/index; cd ..`,
      ['n', /a repository that git cannot read/],
    ],
    'a linked worktree with a damaged index': [
      'git worktree add -q .wt -b wt; echo x | tee .git/worktrees/*/index',
      ['.wt', /a repository that git cannot read/],
    ],
    'a repository whose name is no UTF-8': [
      String.raw`d=$(printf 'caf\351'); git init -q "$d"; echo 1 > "$d/x"`,
      ['caf\ufffd', /name is no UTF-8/],
    ],
    'a branch whose name is no UTF-8': [
      String.raw`b=$(printf 'caf\351'); git checkout -q -b "$b"; echo 1 > c; git add c; ${COMMIT}; git checkout -q -`,
      ['caf\ufffd', /1 commit of this branch/],
    ],
  } as const
  for (const [what, [script, [path, reason]]] of Object.entries(DAMAGED)) {
    it(`holds up nothing: ${what}`, async () => {
      const { result, files, end } = await run(`${script}; echo 2 > b.txt`)
      assert.deepEqual([result.outcome, files], ['succeeded', ['b.txt']], end.stderr)
      assert.deepEqual(paths(result), [path])
      assert.match(result.undelivered?.[0]?.reason ?? '', reason)
    })
  }

  it('is not that of a clone which a tool for worktrees has called bare', async () => {
    const { result, files } = await run('git config core.bare true; echo 2 > b.txt')
    assert.deepEqual([result.outcome, files], ['succeeded', ['b.txt']])
  })

  const LEFT = {
    commitInSubmodule: ['lib', /in the clone alone/],
    commitOnBranch: ['side', /1 commit of this branch is not part of the work/],
    stash: ['stash', /stashed/],
    linkedWorktree: ['.worktrees/tree', /linked worktree/],
    commitInWorktree: ['.worktrees/tree', /1 commit of this linked worktree is not part of the work/],
    gitlink: ['inner', /\.gitmodules does not name/],
  } as const
  for (const [what, [path, reason]] of Object.entries(LEFT)) {
    const odd = { hasSubmodule: what === 'commitInSubmodule' }
    const init = what === 'commitInSubmodule' ? `${AGENT_COMMANDS.initSubmodule}; ` : ''
    const script = `${init}${AGENT_COMMANDS[what as keyof typeof LEFT]}`

    it(`is listed beside work that is delivered: ${what}`, async () => {
      const { result, end } = await run(`${script}; echo 2 > b.txt`, odd)
      assert.deepEqual([result.outcome, result.pushed], ['succeeded', true], end.stderr)
      assert.deepEqual([paths(result), result.undeliveredCount], [[path], 1])
      assert.match(result.undelivered?.[0]?.reason ?? '', reason)
    })

    it(`is a failure of category git where it is all that there is: ${what}`, async () => {
      const { result, execution } = await run(script, odd)
      const { outcome, error, pushed } = result
      assert.deepEqual([outcome, error?.category, pushed, paths(result)], ['failed', 'git', false, [path]])
      assert.ok(error?.message.includes(path) && error.message.includes('resume'), error?.message)
      assert.equal(execution.outcome().outcome, 'failed', 'the agent is to go on')
    })
  }

  const TOLD = {
    tag: ['tags/v2.0', /tags are never pushed/],
    revertOfTwo: ['.git/sequencer/todo', /cherry-pick or revert of several commits has not ended/],
  } as const
  for (const [what, [path, reason]] of Object.entries(TOLD)) {
    it(`is told and holds nothing up: ${what}`, async () => {
      const { result, end } = await run(AGENT_COMMANDS[what as keyof typeof TOLD])
      assert.equal(result.outcome, 'succeeded', end.stderr)
      assert.match(result.undelivered?.find((one) => one.path === path)?.reason ?? '', reason)
    })
  }

  it('is no commit of a linked worktree that a tag of the remote has', async () => {
    const remote = makeWildRemote(root)
    remote.git('tag', 'rel', remote.git('commit-tree', '-m', 'release', '-p', 'main', 'main^{tree}').trim())
    const script = 'git worktree add -q --detach .wt rel; echo 2 > b.txt'
    const execution = makeExecution(root, remote, script)
    await execution.all()
    assert.deepEqual([execution.result().outcome, execution.result().undelivered], ['succeeded', undefined])
  })

  it('is no commit of a submodule that work brings it to, where .gitmodules stays as it was', async () => {
    const script = `git update-index --cacheinfo 160000,${'1234567890'.repeat(4)},lib; git commit -qm moved`
    const { result, files, end } = await run(script, { hasSubmodule: true })
    assert.deepEqual([result.outcome, files, result.undelivered], ['succeeded', ['lib'], undefined], end.stderr)
  })

  it('is a place in Git LFS for files that the agent’s container has no git-lfs for: their content is in git', async () => {
    const set = writeFilter(root).map(([name, value]) => `git config ${name.replace('wild', 'lfs')} ${value}`)
    const { result, files } = await run(`${set.join('; ')}; echo '*.bin filter=lfs' > .gitattributes; echo 1 > big.bin`)
    assert.deepEqual([result.outcome, files], ['succeeded', ['.gitattributes', 'big.bin']])
    assert.deepEqual(paths(result), ['big.bin'])
  })

  it('is no backup of commits that were rebased or squashed, since the branch has their changes', async () => {
    const squash = 'git merge -q --squash side >/dev/null; git commit -qm squashed'
    const { result, files } = await run(`${AGENT_COMMANDS.commitOnBranch}; ${squash}`)
    assert.deepEqual([files, result.undelivered], [['side.txt'], undefined])
  })

  it('is no tag that the clone came with', async () => {
    const remote = makeWildRemote(root)
    remote.git('tag', 'v1.0', 'main')
    const execution = makeExecution(root, remote, 'echo 2 > b.txt')
    await execution.all()
    assert.deepEqual([execution.result().outcome, execution.result().undelivered], ['succeeded', undefined])
  })

  it('is seen by deliver itself when the agent says nothing of it', async () => {
    const execution = makeExecution(root, makeWildRemote(root), `${AGENT_COMMANDS.gitlink}; echo 2 > b.txt`)
    await execution.step('prepare')
    await execution.step('agent')
    const { undelivered: _, undeliveredCount: __, ...forged } = execution.outcome()
    execution.write('agent/outcome.json', JSON.stringify(forged))
    await execution.step('deliver')
    assert.deepEqual(paths(execution.result()), ['inner'])
  })

  it('is cut to fifty lines, with how many there are', async () => {
    const script = `${AGENT_COMMANDS.commitOnBranch}; for i in $(seq 59); do git branch side$i side; done; echo 2 > b.txt`
    const { result } = await run(script)
    assert.deepEqual([result.undelivered?.length, result.undeliveredCount], [50, 60])
  })
})

describe('work that adds what a repository is rarely meant to hold', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  const bulkOf = async (script: string, prepare: (remote: Remote) => Partial<RunSpec> = () => ({})) => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, script, prepare(remote))
    const { stderr } = await execution.all()
    return { ...execution.result(), said: stderr }
  }

  it('names a folder with a thousand new files, and a file of 50 MiB', async () => {
    const many =
      'mkdir -p web/node_modules/x; for i in $(seq 600); do : > web/node_modules/$i; : > web/node_modules/x/$i; done'
    const { bulk, said } = await bulkOf(`${many}; echo 1 > web/page; truncate -s 52428800 model.bin`)
    assert.deepEqual(bulk, [
      { path: 'web/node_modules', files: 1200 },
      { path: 'model.bin', bytes: 52_428_800 },
    ])
    assert.match(
      said,
      /The work adds a lot to the repository: web\/node_modules\/ is a new folder with 1,200 files, model\.bin has/,
    )
  })

  it('names it also where others had pushed it to the branch of a story', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`vendor/${i}`, '']))
    const { bulk, branchReview } = await bulkOf('echo 1 > page', (remote) => {
      remote.commit('story/s', many)
      return { branch: 'story/s' }
    })
    assert.deepEqual([bulk, branchReview?.bulk], [undefined, [{ path: 'vendor', files: 1000 }]])
  })

  it('says nothing of less', async () => {
    const { bulk, said } = await bulkOf('mkdir x; for i in $(seq 999); do : > x/$i; done')
    assert.equal(bulk, undefined)
    assert.ok(!said.includes('adds a lot'))
  })
})

describe('a commit that fails after the agent worked', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  const CAUSES = {
    'a file that cannot be read': ['chmod 000 b', 'chmod 644 b', /"b".*Permission denied/],
    'a filter that fails': [
      "echo '* filter=x' > .git/info/attributes; git config filter.x.clean false; git config filter.x.required true",
      'git config --unset filter.x.required; git config filter.x.clean cat',
      /clean filter 'x' failed/,
    ],
  } as const
  for (const [what, [cause, mend, message]] of Object.entries(CAUSES)) {
    // Nothing is unreadable for root.
    const test = what.includes('read') && process.getuid?.() === 0 ? it.skip : it
    test(`keeps what the agent reported, and a resume commits and delivers without it: ${what}`, async () => {
      const remote = makeRemote(root, { a: '1' })
      const script = `echo x >> "$SERVICE_DROP_DIR/runs"; echo "## Summary"; echo did it; echo 2 > b; mkdir -p .git/info; ${cause}`
      const execution = makeExecution(root, remote, script)
      assert.equal((await execution.all()).exitCode, 1)
      const { outcome, error, pushed, summary } = execution.result()
      assert.deepEqual([outcome, error?.category, pushed, summary], ['failed', 'git', false, 'did it'])
      assert.match(error?.message ?? '', /could not be committed: [^]*resume/)
      assert.match(error?.message ?? '', message)
      assert.equal(execution.outcome().outcome, 'succeeded')
      execFileSync('bash', ['-c', mend], { cwd: execution.clone })
      const baseCommit = remote.git('rev-parse', 'main')
      const again = { execution: 'demo-2', keepClone: true, deliverOnly: true, baseCommit }
      const resumed = makeExecution(root, remote, 'false', again)
      assert.equal((await resumed.all()).exitCode, 0)
      assert.equal(remote.git('show', 'slipway/demo:b'), '2')
      assert.equal(readFileSync(join(execution.volume, 'drops', 'runs'), 'utf8'), 'x\n')
    })
  }
})
