import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { gitIn } from '../../helpers/repository.ts'
import { type Oddities, AGENT_COMMANDS, makeWildRemote, writeFilter } from '../../helpers/wild-repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const AS_AGENT = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@x'

describe('what an agent leaves uncommitted', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  /** Runs a script to READY; gives how the branch differs from main, and its commits. */
  async function run(odd: Oddities, script: string) {
    const remote = makeWildRemote(root, odd)
    const execution = makeExecution(root, remote, script)
    const end = await execution.all()
    assert.equal(end.exitCode, 0, `${end.stderr} ${JSON.stringify(execution.result().error)}`)
    const has = remote.git('branch', '--list', 'slipway/demo') !== ''
    const changed = has ? remote.git('diff', '--no-renames', '--name-status', 'main', 'slipway/demo').split('\n') : []
    const subjects = has ? remote.git('log', '--format=%s', 'main..slipway/demo').split('\n') : []
    return { remote, execution, changed, subjects, result: execution.result() }
  }

  const SPARSE = { files: { 'src/in.txt': '1\n', 'docs/out.txt': '1\n' } }

  for (const how of ['sparseCone', 'sparsePatterns'] as const) {
    it(`keeps every file outside of a sparse checkout (${how}) where all is committed`, async () => {
      const commit = `echo 2 > src/in.txt; ${AS_AGENT}; git commit -qam mine`
      const { changed, subjects } = await run(SPARSE, `${AGENT_COMMANDS[how]}; ${commit}`)
      assert.deepEqual([changed, subjects], [['M\tsrc/in.txt'], ['mine']])
    })

    it(`keeps every file outside of a sparse checkout (${how}) where some is left, and takes what lies outside of it`, async () => {
      const left = 'echo 2 > src/in.txt; echo new > src/new.txt; mkdir -p docs; echo new > docs/new.txt'
      const { changed } = await run(SPARSE, `${AGENT_COMMANDS[how]}; ${left}`)
      assert.deepEqual(changed, ['A\tdocs/new.txt', 'M\tsrc/in.txt', 'A\tsrc/new.txt'])
    })
  }

  it('is nothing where git status is clean, whatever its index and files have in mind', async () => {
    const quiet = `git update-index --assume-unchanged a.txt; echo local >> a.txt; git update-index --skip-worktree b.txt; echo local > b.txt
      echo secret > local.txt; echo local.txt >> .git/info/exclude`
    const { changed, result } = await run({ files: { 'b.txt': '1\n' } }, `mkdir -p .git/info; ${quiet}`)
    assert.deepEqual([changed, result.pushed], [[], false])
  })

  const OUT = 'git rm -q --cached .env'
  for (const [when, script] of [
    ['not committed', OUT],
    ['committed', `${OUT}; ${AS_AGENT}; git commit -qm out`],
  ] as const) {
    it(`has no file that git rm --cached took out (${when}), though it lies there`, async () => {
      const { changed, execution, result } = await run({ files: { '.env': 'secret\n' } }, script)
      assert.deepEqual([changed, result.undelivered], [['D\t.env'], undefined])
      assert.equal(gitIn(execution.clone, 'ls-files', '.env'), '')
    })
  }

  it('lists a file that was taken out of git and changed then', async () => {
    const { changed, result } = await run({ files: { '.env': 'secret\n' } }, `${OUT}; echo other > .env`)
    assert.deepEqual(changed, ['D\t.env'])
    assert.match(result.undelivered?.find(({ path }) => path === '.env')?.reason ?? '', /git rm --cached/)
  })

  it('has an ignored file that git add -f took in, and the mode that git add --chmod gave', async () => {
    const odd = { files: { '.gitignore': '*.log\n', 'run.sh': 'true\n' } }
    const script =
      'git config core.fileMode false; echo 1 > kept.log; echo 1 > other.log; git add -f kept.log; git add --chmod=+x run.sh'
    const { changed, remote } = await run(odd, script)
    assert.deepEqual(changed, ['A\tkept.log', 'M\trun.sh'])
    assert.match(remote.git('ls-tree', 'slipway/demo', 'run.sh'), /^100755 /)
  })

  it('goes through the filter of the clone, and through that of the home of the agent', async () => {
    for (const where of ['', '--global ']) {
      const set = writeFilter(root).map(([name, value]) => `git config ${where}${name} ${value}`)
      const { remote } = await run({ hasFilter: true }, `${set.join('; ')}; echo 1234 > big.bin; echo 12 > more.bin`)
      assert.equal(remote.git('show', 'slipway/demo:big.bin'), 'pointer 5')
      assert.equal(remote.git('show', 'slipway/demo:more.bin'), 'pointer 3')
      removeFolder(root)
      root = makeFolder()
    }
  })

  it('is a submodule less where that was removed, and its new commit where the remote of the submodule has it', async () => {
    const removed = await run({ hasSubmodule: true }, AGENT_COMMANDS.removeSubmodule)
    assert.deepEqual(removed.changed, ['M\t.gitmodules', 'D\tlib'])
    removeFolder(root)
    root = makeFolder()
    const push = 'git -C lib push -q origin HEAD:main'
    const { initSubmodule, commitInSubmodule } = AGENT_COMMANDS
    const moved = await run({ hasSubmodule: true }, `${initSubmodule}; ${commitInSubmodule}; ${push}`)
    assert.deepEqual([moved.changed, moved.result.undelivered], [['M\tlib'], undefined])
  })

  it('keeps names in bytes, and two names that differ by case alone', async () => {
    const odd = { hasUnicode: true, hasCaseClash: true }
    const { remote } = await run(
      odd,
      String.raw`echo 9 > Readme; echo 9 > README; echo 9 > größe/漢字.txt; echo 9 > $'cafe\xcc\x81'; echo 2 > $'\xff'; echo 2 > $'a\nb'; rm $'caf\xc3\xa9'`,
    )
    const names = remote.git(
      '-c',
      'core.quotePath=true',
      'diff',
      '--no-renames',
      '--name-status',
      'main',
      'slipway/demo',
    )
    assert.deepEqual(names.split('\n').toSorted(), [
      'A\t"\\377"',
      'A\t"a\\nb"',
      'D\t"caf\\303\\251"',
      'M\t"cafe\\314\\201"',
      'M\t"gr\\303\\266\\303\\237e/\\346\\274\\242\\345\\255\\227.txt"',
      'M\tREADME',
      'M\tReadme',
    ])
  })

  it('is committed though hooks, a monitor and signing would forbid it', async () => {
    const hook = `printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git config core.fsmonitor false-monitor`
    const script = `mkdir -p .git/hooks; ${hook}; git config commit.gpgSign true; git config gpg.program false; echo 2 > b.txt`
    assert.deepEqual((await run({}, script)).changed, ['A\tb.txt'])
  })

  const UNFINISHED = {
    mergeWithConflict: /a merge unfinished, with conflicts in a\.txt/,
    mergeResolved: /a merge unfinished, with no file in conflict/,
    rebaseWithConflict: /a rebase unfinished, with conflicts in a\.txt/,
    cherryPickWithConflict: /a cherry-pick unfinished, with conflicts in a\.txt/,
    revertWithConflict: /a revert unfinished, with conflicts in a\.txt/,
  } as const
  for (const [what, message] of Object.entries(UNFINISHED)) {
    it(`fails with category git and keeps the clone as it is for ${what}`, async () => {
      const script = AGENT_COMMANDS[what as keyof typeof UNFINISHED]
      const remote = makeWildRemote(root)
      const execution = makeExecution(root, remote, script)
      assert.equal((await execution.all()).exitCode, 1)
      const { outcome, error, pushed } = execution.result()
      assert.deepEqual([outcome, error?.category, pushed], ['failed', 'git', false])
      assert.match(error?.message ?? '', message)
      assert.equal(execution.outcome().outcome, 'failed', 'the agent is to go on')
      assert.match(gitIn(execution.clone, 'status'), /rebas|unmerged|merging|cherry-pick|revert/i)
      assert.equal(remote.git('branch', '--list', 'slipway/demo'), '')
    })
  }

  it('is refused where it is larger than any commit is to be, with the name of the file, before git reads it', async () => {
    const execution = makeExecution(root, makeWildRemote(root), 'truncate -s 5G disk.img')
    assert.equal((await execution.all()).exitCode, 1)
    assert.match(execution.result().error?.message ?? '', /more than 4 GiB.*disk\.img/)
    writeFileSync(`${execution.clone}/disk.img`, '')
  })
})
