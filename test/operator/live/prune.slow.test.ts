/** A tool that deletes what is gone from its folder, while that works. */
import assert from 'node:assert/strict'
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { asRecord } from '../../../core/json.ts'
import { hasErrorCode } from '../../../lib/files.ts'
import { needKubectl } from '../../helpers/kubectl.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type LiveProgram, startLiveProgram } from './program.ts'

const LIMIT_MS = 60_000

describe('pruning', function () {
  let live: LiveProgram
  let folder: string
  before(async function () {
    await needKubectl(this)
    live = await startLiveProgram()
    folder = join(live.folder, 'manifests')
    await mkdir(folder)
  })
  after(() => live?.end())

  /** Labelled, as `kubectl apply --prune` asks it to be. */
  const write = async (name: string, spec: object): Promise<void> => {
    const metadata = { name, namespace: live.namespace, labels: { team: 'shop' } }
    const manifest = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Task', metadata, spec: { title: name, ...spec } }
    await writeFile(join(folder, `${name}.yaml`), stringify(manifest))
  }
  const sync = (): Promise<string> =>
    live.kubectl('apply', '-f', folder, '--prune', '-l', 'team=shop', '--prune-allowlist=slipway.dev/v1alpha1/Task')
  const eventsOf = async (name: string): Promise<string> =>
    live.kubectl('get', 'events', `--field-selector=involvedObject.kind=Task,involvedObject.name=${name}`)

  it('of a task that runs ends it within a minute, and an Event says so and where its work is', async () => {
    const { path } = makeRemote(live.folder, { 'README.md': '# Sample\n' })
    const script = 'echo half > half.txt; sleep 600'
    await write('works', { repositoryUrl: path, runPolicy: 'Auto', agent: { type: 'script', instructions: script } })
    await write('waits', { repositoryUrl: path })
    await sync()
    const clone = join(live.dataDir, 'volume', 'sandboxes', 'works', 'repo')
    await until('it works', () => exists(join(clone, 'half.txt')), LIMIT_MS)
    const execution = ['get', 'executions.slipway.dev', 'works-1', '--ignore-not-found', '-o', 'name'] as const
    assert.notEqual(await live.kubectl(...execution), '')
    await rm(join(folder, 'works.yaml'))
    assert.match(await sync(), /task\.slipway\.dev\/works pruned/)
    await until('its execution is gone', async () => (await live.kubectl(...execution)) === '', LIMIT_MS)
    await until('an Event says so', async () => (await eventsOf('works')).includes('DeletedWhileRunning'))
    const told = (await eventsOf('works')).split('\n').find((line) => line.includes('DeletedWhileRunning')) ?? ''
    assert.match(told, /works-1 ran, so that was ended; what it had not pushed is kept in .* until /)
    assert.ok(told.includes(clone), told)
    assert.equal(await readFile(join(clone, 'half.txt'), 'utf8'), 'half\n')
    const pods = asRecord(await live.kubectl.json('get', 'pods', '-l', 'slipway.dev/execution=works-1'))['items']
    assert.ok(Array.isArray(pods))
    assert.deepEqual(
      pods.map((pod) => asRecord(asRecord(pod)['status'])['phase']).filter((phase) => phase === 'Running'),
      [],
    )
  })

  it('of a task that waits says nothing of it: it had no work', async () => {
    await write('other', {})
    await rm(join(folder, 'waits.yaml'))
    assert.match(await sync(), /task\.slipway\.dev\/waits pruned/)
    assert.doesNotMatch(await eventsOf('waits'), /DeletedWhileRunning/)
  })
})

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    return false
  }
}
