import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const FILES = {
  'README.md': 'top\n',
  'services/shop/index.js': 'shop\n',
  'services/shop/lib/deep.js': 'deep\n',
  'services/list.txt': 'on the way\n',
  'services/mail/index.js': 'mail\n',
  'docs/guide.md': 'guide\n',
}

describe('an execution of a project that names folders', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('has these, with the files at the top and on the way, and delivers without deleting the rest', async () => {
    const remote = makeRemote(root, FILES)
    const script =
      'find . -name .git -prune -o -type f -print | sort; echo more >> services/shop/index.js; echo new > new.txt'
    const execution = makeExecution(root, remote, script, { checkout: { sparse: ['services/shop'] } })
    assert.equal((await execution.all()).exitCode, 0)
    assert.equal(
      execution.read('agent/stdout.log'),
      './README.md\n./services/list.txt\n./services/shop/index.js\n./services/shop/lib/deep.js\n',
    )
    assert.equal(remote.git('diff', '--name-status', 'main', 'slipway/demo'), 'A\tnew.txt\nM\tservices/shop/index.js')
    assert.equal(gitIn(execution.clone, 'status', '--short'), '')
    assert.equal(execution.result().undelivered, undefined)
  })

  it('delivers what the agent made outside of them too', async () => {
    const remote = makeRemote(root, FILES)
    const execution = makeExecution(root, remote, 'mkdir -p docs && echo more > docs/more.md', {
      checkout: { sparse: ['services/shop'] },
    })
    assert.equal((await execution.all()).exitCode, 0)
    assert.equal(remote.git('diff', '--name-status', 'main', 'slipway/demo'), 'A\tdocs/more.md')
  })

  it('is rebased onto a base that changed files outside of them', async () => {
    const remote = makeRemote(root, FILES)
    const execution = makeExecution(root, remote, 'echo more >> services/shop/index.js', {
      checkout: { sparse: ['services/shop'] },
    })
    for (const step of ['prepare', 'agent'] as const) assert.equal((await execution.step(step)).exitCode, 0)
    remote.commit('main', { 'docs/guide.md': 'changed\n' })
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(remote.git('show', 'slipway/demo:docs/guide.md'), 'changed')
    assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'services/shop/index.js')
  })

  it('says which of them the commit does not have, and goes on', async () => {
    const remote = makeRemote(root, FILES)
    const execution = makeExecution(root, remote, 'true', { checkout: { sparse: ['servics/shop', 'docs', 'ä b'] } })
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0)
    assert.match(stderr, /checkout\.sparse names what [0-9a-f]{12} has no folder of: servics\/shop, ä b$/m)
    assert.ok(existsSync(join(execution.clone, 'docs', 'guide.md')))
    assert.ok(!existsSync(join(execution.clone, 'services')))
  })
})
