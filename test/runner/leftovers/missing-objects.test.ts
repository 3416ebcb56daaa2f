import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { AGENT_COMMANDS, makeWildRemote } from '../../helpers/wild-repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('objects that the clone has lost', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  const lose = (what: string): string =>
    `id=$(git rev-parse ${what}); rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)`
  const commit = 'git add . && git -c user.name=A -c user.email=a@x commit -qm'

  async function run(script: string) {
    const remote = makeWildRemote(root)
    const execution = makeExecution(root, remote, script)
    const { stderr } = await execution.all()
    const hasBranch = remote.git('branch', '--list', 'slipway/demo') !== ''
    return { hasBranch, stderr, result: execution.result(), outcome: execution.outcome(), execution }
  }

  const LOST = {
    'a file': ['HEAD:lost.txt', /^lost\.txt$/],
    'a folder': ['HEAD:deep', /^object [0-9a-f]{12}$/],
    'the top folder': ['HEAD:', /^the top folder$/],
  } as const
  for (const [what, [object, path]] of Object.entries(LOST)) {
    it(`and that its commits need are listed as not delivered: ${what}`, async () => {
      const work = `mkdir -p deep/er; echo 1 > deep/er/x; echo 2 > lost.txt; echo 3 > kept.txt; ${commit} work`
      const { hasBranch, result, outcome, stderr } = await run(`${work}; ${lose(object)}`)
      assert.deepEqual([result.outcome, result.error?.category, hasBranch], ['failed', 'git', false], stderr)
      assert.match(result.undelivered?.map((entry) => entry.path).join() ?? '', path)
      assert.match(result.error?.message ?? '', /has lost what its commits need: (lost|object|the top).*resume/)
      assert.equal(outcome.outcome, 'failed', 'the agent is to go on')
    })
  }

  it('are named with the commit that brought them, though a later one takes them away', async () => {
    const first = `echo 2 > lost.txt; ${commit} one; ${lose('HEAD:lost.txt')}; git rev-parse HEAD > ../../first`
    const { result } = await run(`${first}; git rm -q lost.txt; echo 3 > kept.txt; ${commit} two`)
    const [{ path, reason } = { path: '', reason: '' }, ...others] = result.undelivered ?? []
    assert.deepEqual([path, others], ['lost.txt', []])
    assert.match(reason, /the clone has lost its content, which commit [0-9a-f]{12} needs/)
  })

  it('are found by deliver itself where the agent step saw nothing of it', async () => {
    const script = `echo 2 > lost.txt; echo 3 > kept.txt; ${commit} work`
    const execution = makeExecution(root, makeWildRemote(root), script)
    await execution.step('prepare')
    await execution.step('agent')
    execFileSync('bash', ['-c', lose('HEAD:lost.txt')], { cwd: execution.clone })
    await execution.step('deliver')
    const { outcome, undelivered } = execution.result()
    assert.deepEqual([outcome, undelivered?.map(({ path }) => path)], ['failed', ['lost.txt']])
  })

  it('and that another branch alone needs are a line beside the work, which is delivered', async () => {
    const script = `${AGENT_COMMANDS.commitOnBranch}; ${lose('side^{tree}')}; echo 2 > b.txt`
    const { hasBranch, result, stderr } = await run(script)
    assert.deepEqual([result.outcome, hasBranch], ['succeeded', true], stderr)
    assert.deepEqual(
      result.undelivered?.map(({ path }) => path),
      ['side'],
    )
    assert.match(result.undelivered?.[0]?.reason ?? '', /the clone has lost what it needs/)
  })
})
