import assert from 'node:assert/strict'
import { mkdir, open, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executionPath } from '../../core/execution/layout.ts'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { type ExecutionFolder, prepareVolume } from '../../operator/volume.ts'
import { aTask, anAgent } from '../helpers/build.ts'
import { openWorld } from './world.ts'

const RESULT = {
  schemaVersion: 1,
  execution: 'task-a-1',
  jobNumber: 1,
  step: 'deliver',
  outcome: 'succeeded',
  pushed: true,
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:00:01Z',
}

describe('what an execution left that was deleted', () => {
  let root = ''
  let folder = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'slipway-leftovers-'))
    folder = join(root, executionPath('task-a-1'))
  })
  afterEach(() => rm(root, { recursive: true }))

  const GIVEN = { digest: 'd'.repeat(64), text: '{}' }
  const FILES = [`given-${GIVEN.digest}.json`, 'owner']

  const prepare = async (fields: Partial<ExecutionFolder> = {}): Promise<void> => {
    const owner = { uid: 'uid-2', namespace: 'default', name: 'task-a-1', task: 'uid-task' }
    const sandbox = { sandbox: 'task-a', sandboxOwner: { uid: 'uid-task' }, isSandboxNew: true }
    await prepareVolume(root, { ...sandbox, execution: 'task-a-1', owner, isNew: true, given: GIVEN, ...fields })
  }
  const leave = async (file: string, text: string): Promise<void> => {
    await mkdir(join(folder, 'agent'), { recursive: true })
    await writeFile(join(folder, file), text)
  }

  it('is gone before the first step of one that has its name', async () => {
    await prepare({ owner: { uid: 'uid-1' } })
    for (const file of ['result.json', 'prepared.json', 'agent/outcome.json']) await leave(file, '{}')
    await prepare()
    assert.deepEqual((await readdir(folder)).sort(), FILES)
  })

  it('is gone where it bears no mark, as Slipway left it before it marked them', async () => {
    await leave('result.json', '{}')
    await prepare()
    assert.deepEqual((await readdir(folder)).sort(), FILES)
  })

  it('leaves the prompt of a query that was written before its execution', async () => {
    await leave('result.json', '{}')
    await leave('prompt.md', 'What do you think?')
    await prepare()
    assert.equal(await readFile(join(folder, 'prompt.md'), 'utf8'), 'What do you think?')
    assert.equal((await readdir(folder)).includes('result.json'), false)
  })

  it('is synced away where it was another’s, and only there: its mark must not come back with a power cut', async () => {
    const file = await open(join(root, 'any'), 'w')
    const handles: { sync(): Promise<void> } = Object.getPrototypeOf(file)
    await file.close()
    const { sync } = handles
    let syncs = 0
    handles.sync = function () {
      syncs += 1
      return sync.call(this)
    }
    const count = async (fields: Partial<ExecutionFolder>): Promise<number> => {
      syncs = 0
      await prepare(fields)
      return syncs
    }
    try {
      const [uid1, uid2] = [{ uid: 'uid-1' }, { uid: 'uid-2' }]
      assert.equal(await count({ owner: uid1 }), 0)
      assert.equal(await count({ owner: uid1 }), 0)
      // The file and its folder.
      assert.equal(await count({ owner: uid2 }), 2)
      assert.equal(await count({ owner: uid2, sandboxOwner: { uid: 'uid-other' } }), 2)
    } finally {
      handles.sync = sync
    }
  })

  it('is told from its own: what its Job has written stays when it is begun once more, and with a later Job', async () => {
    await prepare()
    await leave('result.json', '{}')
    await prepare()
    assert.ok((await readdir(folder)).includes('result.json'))
    await rm(join(folder, 'owner'))
    await prepare({ isNew: false })
    assert.ok((await readdir(folder)).includes('result.json'))
  })

  it('makes no task READY that is created under the name of a deleted one', async () => {
    const world = await openWorld()
    const old = join(world.volumeRoot, executionPath('task-a-1'))
    await mkdir(old, { recursive: true })
    await writeFile(join(old, 'result.json'), JSON.stringify(RESULT))
    world.kube.put(AGENTS, anAgent())
    world.kube.put(TASKS, aTask({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
    await world.endJob('task-a-1-run', { result: 'none' })
    await world.sync()
    const { state } = world.task().status ?? {}
    await world.close()
    assert.notEqual(state, 'READY')
  })
})
