import assert from 'node:assert/strict'
import type { Execution, Project } from '../../core/crd/types.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { type Installation, type Server, kindPath, makeInstallation } from './installation.ts'

/** As a package manager does: what is installed tells which lock file it was installed from. */
const SETUP = `set -e
lock=$(cat package-lock.json)
echo "installing $lock"
test "$lock" != broken || { echo "no such package" >&2; exit 3; }
mkdir -p node_modules ~/.store
echo "installed $lock" > node_modules/lock
echo "stored $lock" > ~/.store/lock`

describe('the whole program, where a project prepares an environment', function () {
  let installation: Installation
  let server: Server
  let remote: Remote

  before(async function () {
    await needBwrap(this)
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'package-lock.json': 'v1' })
    server = await installation.start('--runtime', 'bwrap')
    const cache = [{ path: 'node_modules' }, { path: '~/.store', mode: 'ReadOnly' }]
    const environment = { setup: SETUP, cache, keys: ['package-lock.json'] }
    const spec = { title: 'Shop', remoteUrl: remote.path, environment }
    const project = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Project', metadata: { name: 'shop' }, spec }
    const { status, body } = await server.kube.send('POST', kindPath('projects'), project)
    assert.equal(status, 201, JSON.stringify(body))
  })
  after(() => installation?.dispose())

  const read = async <T>(plural: string, name: string): Promise<T> =>
    (await server.kube.send('GET', kindPath(plural, name))).body as T
  const environments = async () => (await read<Project>('projects', 'shop')).status?.environments ?? []
  const environmentOf = async (task: string) => (await read<Execution>('executions', `${task}-1`)).status?.environment
  const start = async (id: string, script: string): Promise<void> => {
    await server.create(id, script, { project: 'shop' })
    await server.run(id)
  }

  it('the first task begins once it is prepared, and the second finds the same without another setup', async () => {
    const script = 'cat node_modules/lock ~/.store/lock > seen.txt; echo mine > node_modules/lock; ! touch ~/.store/x'
    await start('one', script)
    await server.reaches('one', 'READY')
    await start('two', script)
    await server.reaches('two', 'READY')
    for (const id of ['one', 'two']) {
      assert.equal(remote.git('show', `slipway/${id}:seen.txt`), 'installed v1\nstored v1')
      assert.equal(remote.git('diff', '--name-only', 'main', `slipway/${id}`), 'seen.txt')
      assert.equal((await environmentOf(id))?.execution, 'shop-e1')
    }
    const found = await environments()
    assert.deepEqual(
      found.map(({ execution, state }) => [execution, state]),
      [['shop-e1', 'Ready']],
    )
  })

  it('a changed lock file is prepared by the task that meets it first', async () => {
    remote.commit('main', { 'package-lock.json': 'v2' })
    await start('three', 'cat node_modules/lock ~/.store/lock > seen.txt')
    await server.reaches('three', 'READY')
    assert.equal(remote.git('show', 'slipway/three:seen.txt'), 'installed v2\nstored v2')
    assert.deepEqual(
      (await environments()).map(({ execution, state }) => [execution, state]),
      [
        ['shop-e2', 'Ready'],
        ['shop-e1', 'Ready'],
      ],
    )
  })

  it('a setup that fails is told with its last lines, and the task starts without, unless it is required', async () => {
    remote.commit('main', { 'package-lock.json': 'broken' })
    await start('four', 'test -e node_modules/lock || test -e ~/.store/lock || echo bare > seen.txt')
    await server.reaches('four', 'READY')
    assert.equal(remote.git('show', 'slipway/four:seen.txt'), 'bare')
    assert.match((await environmentOf('four'))?.problem ?? '', /without its environment/)
    const [failed] = await environments()
    assert.equal(failed?.state, 'Failed')
    assert.match(failed?.message ?? '', /no such package/)
    const patch = { spec: { environment: { required: true } } }
    await server.kube.send('PATCH', kindPath('projects', 'shop'), patch, {
      'content-type': 'application/merge-patch+json',
    })
    await start('five', 'true')
    await server.reaches('five', 'FAILED')
    assert.match((await read<Execution>('executions', 'five-1')).status?.error?.message ?? '', /required/)
  })

  it('a task that failed for want of it begins in a fresh clone when it is resumed', async () => {
    remote.commit('main', { 'package-lock.json': 'v3' })
    const { status, text } = await server.call('POST', '/api/tasks/five/resume')
    assert.equal(status, 202, text)
    await server.reaches('five', 'READY')
    assert.equal((await read<Execution>('executions', 'five-2')).status?.environment?.problem, undefined)
  })

  it('the repository says how it is prepared where the project does not', async () => {
    const file = `setup: mkdir out && echo built > out/text\ncache: [{ path: out }]\n`
    remote.commit('main', { '.slipway/environment.yaml': file })
    const patch = { spec: { environment: null } }
    await server.kube.send('PATCH', kindPath('projects', 'shop'), patch, {
      'content-type': 'application/merge-patch+json',
    })
    await start('six', 'cp out/text seen.txt')
    await server.reaches('six', 'READY')
    assert.equal(remote.git('show', 'slipway/six:seen.txt'), 'built')
  })
})
