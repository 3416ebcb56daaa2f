import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { aPrepare, aRecipe, aTask, mountedOf } from '../environment/given.ts'
import { makeFolder, removeFolder } from '../execution.ts'
import { checksOf } from './given.ts'

const KEY = '0123456789abcdef0123456789abcdef'

describe('the checkout of a check', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('has the caches of the prepared environment at their places, as they were sealed', async () => {
    const remote = makeRemote(root, { a: '1' })
    const recipe = aRecipe({
      setup: 'mkdir -p node_modules ~/.store ro; pwd > node_modules/place; echo h > ~/.store/h; echo r > ro/r',
      cache: [
        { path: 'node_modules', mode: 'Copy' },
        { path: '~/.store', mode: 'Copy' },
        { path: 'ro', mode: 'ReadOnly' },
      ],
    })
    const prepare = aPrepare(root, remote, recipe)
    assert.equal((await prepare.all()).exitCode, 0)
    const programs = {
      one: 'cat node_modules/place ~/.store/h; git status --short',
      two: 'cat node_modules/place; ls -a ro',
    }
    const environment = { recipe, mounted: mountedOf(prepare) }
    const execution = aTask(root, remote, 'echo forged > node_modules/place; echo 2 > a', environment, {
      checks: checksOf(programs),
    })
    assert.equal((await execution.allChecked()).exitCode, 0)
    const place = (name: string): string => join(execution.folder, 'checkouts', name, 'repo')
    assert.equal(execution.read('rounds/1/one/output.log'), `${place('one')}\nh\n`)
    assert.equal(execution.read('rounds/1/two/output.log'), `${place('two')}\n.\n..\n`)
  })

  it('has the environment of the Job also where the work changes what it is prepared from', async () => {
    const remote = makeRemote(root, { a: '1', lock: '1' })
    const recipe = aRecipe({ keys: ['lock'] })
    const prepare = aPrepare(root, remote, recipe)
    await prepare.all()
    const environment = { recipe, mounted: mountedOf(prepare) }
    const checks = checksOf({ test: 'cat node_modules/a.js' })
    const execution = aTask(root, remote, 'echo 2 > lock', environment, { checks })
    assert.equal((await execution.allChecked()).exitCode, 0)
    assert.equal(execution.read('rounds/1/test/output.log'), 'installed\n')
  })

  it('is whole where the clone borrows from a mirror, and needs that no more', async () => {
    const remote = makeRemote(root, { a: '1'.repeat(9999) })
    const checks = checksOf({ test: 'git fsck --full; git log --format=%s; ! test -e .git/objects/info/alternates' })
    const execution = aTask(root, remote, 'echo 2 > b', {}, { mirror: KEY, checks })
    for (const step of ['prepare', 'agent', 'stage'] as const) await execution.step(step)
    assert.ok(existsSync(join(execution.clone, '.git/objects/info/alternates')))
    const packed = gitIn(join(execution.folder, 'staged.git'), 'count-objects', '-v')
    assert.match(packed, /^in-pack: 3$/m)
    await execution.check('test')
    const output = execution.read('rounds/1/test/output.log')
    assert.match(output, /^Do the demo\nfirst\n$/)
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(remote.git('show', 'slipway/demo:b'), '2')
  })

  it('has the folders alone that the project checks out', async () => {
    const remote = makeRemote(root, { 'a/a': '1', 'b/b': '1', top: '1' })
    const spec = {
      checkout: { sparse: ['a'] },
      checks: checksOf({ test: 'find . -path ./.git -prune -o -type f -print | sort' }),
    }
    const execution = aTask(root, remote, 'echo 2 > a/a', {}, spec)
    assert.equal((await execution.allChecked()).exitCode, 0)
    assert.equal(execution.read('rounds/1/test/output.log'), './a/a\n./top\n')
  })

  it('is made of a shallow clone, too', async () => {
    const remote = makeRemote(root, { a: '1' })
    remote.commit('main', { a: '2' })
    const spec = { checkout: { depth: 1 }, checks: checksOf({ test: 'cat a' }) }
    const execution = aTask(root, { path: `file://${remote.path}` }, 'echo 3 > a', {}, spec)
    const end = await execution.allChecked()
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(readFileSync(join(execution.folder, 'rounds/1/test/output.log'), 'utf8'), '3\n')
  })
})
