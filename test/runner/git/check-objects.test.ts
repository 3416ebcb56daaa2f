import assert from 'node:assert/strict'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const COMMIT = 'git -c user.name=Ada -c user.email=ada@example.com commit -q'

/** Commits a tree that holds `entry`, and then takes it back. */
function behindHead(entry: string): string {
  return [
    'blob=$(echo payload | git hash-object -w --stdin)',
    'link=$(printf %s ../../etc | git hash-object -w --stdin)',
    `sub=$(printf '100755 blob %s\\tpost-checkout\\n' $blob | git mktree)`,
    'sub=$(printf "040000 tree %s\\thooks\\n" $sub | git mktree)',
    `tree=$( (git ls-tree HEAD; printf "${entry}\\n") | git mktree)`,
    'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@x',
    'bad=$(git commit-tree -p HEAD -m bad $tree)',
    'good=$(git commit-tree -p $bad -m good "HEAD^{tree}")',
    'echo $bad > ../bad',
    'git reset -q --hard $good',
  ].join('\n')
}

describe('what lies behind HEAD is checked before it is pushed', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: 'a\n' })
  })
  afterEach(() => removeFolder(root))

  async function run(script: string, spec: Partial<RunSpec> = {}): Promise<ExecutionResult & { clone: string }> {
    const execution = makeExecution(root, remote, script, spec)
    await execution.all()
    return { ...execution.result(), clone: execution.clone }
  }

  const HARMFUL = {
    'a folder .git with hooks': ['040000 tree $sub\\t.git', '.git'],
    'a folder that HFS takes for .git': ['040000 tree $sub\\t.g\\342\\200\\214it', '.g'],
    'a folder that NTFS takes for .git': ['040000 tree $sub\\tgit~1', 'git~1'],
    'a .gitmodules that is a link': ['120000 blob $link\\t.gitmodules', '.gitmodules'],
  } as const
  for (const [what, [entry]] of Object.entries(HARMFUL)) {
    it(`and ${what} ends as FAILED with category git, which names the commit`, async () => {
      const { outcome, error, clone } = await run(behindHead(entry))
      const bad = gitIn(clone, 'rev-parse', 'HEAD^')
      assert.deepEqual([outcome, error?.category], ['failed', 'git'])
      assert.match(error?.message ?? '', new RegExp(`in commit ${bad.slice(0, 12)} does harm .*the clone is kept`))
      assert.throws(() => remote.git('rev-parse', '--verify', '--quiet', 'slipway/demo'))
    })
  }

  it('and a file that is larger than the limit is named, though a later commit takes it away', async () => {
    const { outcome, error, clone } = await run(
      `head -c 3000000 /dev/zero > big.bin; git add .; ${COMMIT} -m big; git rm -q big.bin; ${COMMIT} -m gone`,
      { maxPushBytes: 1024 * 1024 },
    )
    const big = gitIn(clone, 'rev-parse', 'HEAD^').slice(0, 12)
    assert.equal(outcome, 'failed')
    assert.match(
      error?.message ?? '',
      new RegExp(`^big\\.bin in commit ${big} is larger than 1 MiB; nothing was pushed`),
    )
    assert.throws(() => remote.git('rev-parse', '--verify', '--quiet', 'slipway/demo'))
  })

  it('and many files that together are larger than the limit are not pushed', async () => {
    const { outcome, error } = await run('for i in 1 2 3; do head -c 500000 /dev/urandom > big$i; done', {
      maxPushBytes: 1024 * 1024,
    })
    assert.equal(outcome, 'failed')
    assert.match(error?.message ?? '', /the commits of this work have more than 1 MiB; .*maxPushSize/)
  })

  it('and an honest history with an odd date or address is pushed', async () => {
    const { outcome, error } = await run(
      'printf "tree %s\\nparent %s\\nauthor A  <a> 1 +0000\\ncommitter A <a@x> 1 +99999\\n\\nold\\n" $(git rev-parse HEAD^{tree} HEAD) > ../c; git reset -q --hard $(git hash-object -w -t commit --literally ../c); echo new > new',
    )
    assert.deepEqual([outcome, error], ['succeeded', undefined])
  })
})
