import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../../helpers/repository.ts'
import { makeFolder, removeFolder } from '../execution.ts'
import { aPrepare, aRecipe, aTask, mountedOf, readPrepared, readSeal, readTold } from './given.ts'

describe('an environment, from its setup to the agent of a task', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('is found installed by the agent, and is not committed', async () => {
    const remote = makeRemote(root, { 'package-lock.json': '1' })
    const recipe = aRecipe({ keys: ['package-lock.json'] })
    const prepare = aPrepare(root, remote, recipe)
    const end = await prepare.all()
    assert.equal(end.exitCode, 0, end.stderr)
    const { sealed } = prepare.result()
    assert.deepEqual(sealed?.cache, recipe.cache)
    assert.equal(sealed?.isShared, true)
    assert.equal(sealed?.commit, remote.git('rev-parse', 'main'))
    assert.equal(sealed?.digest, readSeal(prepare).digest)
    assert.ok((sealed?.bytes ?? 0) > 0)
    const task = aTask(root, remote, 'cat node_modules/a.js; echo new > node_modules/b.js; echo x > x', {
      recipe,
      mounted: mountedOf(prepare),
    })
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(task.read('agent/stdout.log'), 'installed\n')
    assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'x')
    assert.equal(task.result().undelivered, undefined)
    assert.equal(typeof readPrepared(task).environmentSeconds, 'number')
    assert.equal(readTold(root)['environmentProblem'], undefined)
  })

  it('comes from the file of the repository where the project says none', async () => {
    const file =
      'setup: echo "$WHO" > .cache-file; mkdir cache; mv .cache-file cache/who\nenv: [{ name: WHO, value: me }]\ncache: [{ path: cache }]\n'
    const remote = makeRemote(root, { '.slipway/environment.yaml': file })
    const prepare = aPrepare(root, remote, null)
    const end = await prepare.all()
    assert.equal(end.exitCode, 0, end.stderr)
    const task = aTask(root, remote, 'cat cache/who', { mounted: mountedOf(prepare) })
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(task.read('agent/stdout.log'), 'me\n')
  })

  it('lets the scripts of a virtual environment of Python run in the clone of another task', async () => {
    const remote = makeRemote(root, { 'a.txt': 'a' })
    // Such as uv makes: a link by its absolute path.
    const setup = 'python3 -m venv .venv && ln -s "$PWD/.venv/bin/pip" .venv/bin/pip-link'
    const recipe = aRecipe({ setup, cache: [{ path: '.venv', mode: 'Copy' }] })
    const prepare = aPrepare(root, remote, recipe)
    const end = await prepare.all()
    assert.equal(end.exitCode, 0, end.stderr)
    // What another task does not see is not there.
    removeFolder(join(prepare.volume, 'sandboxes', 'aside.prepare'))
    const script = `.venv/bin/pip --version | sed 's/.* from //; s/ .*//'; .venv/bin/pip-link --version >/dev/null && echo linked
. .venv/bin/activate && echo "$VIRTUAL_ENV"`
    const task = aTask(root, remote, script, { recipe, mounted: mountedOf(prepare) })
    assert.equal((await task.all()).exitCode, 0)
    const [pip = '', ...rest] = task.read('agent/stdout.log').trim().split('\n')
    const place = join(task.clone, '.venv')
    assert.ok(pip.startsWith(`${place}/lib/`), pip)
    assert.deepEqual(rest, ['linked', place])
  })

  it('lets the programs of an installation by npm run', async () => {
    const remote = makeRemote(root, {
      'tool/package.json': JSON.stringify({ name: 'tool', version: '1.0.0', bin: { tool: 'tool.js' } }),
      'tool/tool.js': '#!/usr/bin/env node\nconsole.log("the tool runs")\n',
    })
    const packed = join(root, 'packed')
    mkdirSync(packed)
    writeFileSync(
      join(packed, 'package.json'),
      JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { tool: 'file:tool' } }),
    )
    remote.commit('main', { 'package.json': readFileSync(join(packed, 'package.json'), 'utf8') })
    const setup = 'npm install --offline --install-links --no-audit --no-fund'
    const recipe = aRecipe({ setup, keys: ['package.json'] })
    const prepare = aPrepare(root, remote, recipe)
    const end = await prepare.all()
    assert.equal(end.exitCode, 0, end.stderr)
    const task = aTask(root, remote, 'node_modules/.bin/tool', { recipe, mounted: mountedOf(prepare) })
    assert.equal((await task.all()).exitCode, 0)
    assert.equal(task.read('agent/stdout.log'), 'the tool runs\n')
  })

  it('gives each task a copy of its own', async () => {
    const remote = makeRemote(root, { a: 'a' })
    const recipe = aRecipe()
    const prepare = aPrepare(root, remote, recipe)
    assert.equal((await prepare.all()).exitCode, 0)
    const environment = { recipe, mounted: mountedOf(prepare) }
    const first = aTask(root, remote, 'echo poisoned > node_modules/a.js; rm -rf node_modules', environment)
    assert.equal((await first.all()).exitCode, 0)
    const second = aTask(root, remote, 'cat node_modules/a.js', environment, {
      execution: 'demo-2',
      branch: 'slipway/two',
    })
    assert.equal((await second.all()).exitCode, 0)
    assert.equal(second.read('agent/stdout.log'), 'installed\n')
  })
})
