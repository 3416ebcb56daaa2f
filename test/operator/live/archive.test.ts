import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '../../../core/crd/types.ts'
import { LABELS, MANAGED_BY } from '../../../core/names.ts'
import { DEFAULT_RETENTION } from '../../../core/task/retention.ts'
import { EXECUTIONS, TASKS } from '../../../kube/resources.ts'
import type { KubeObject, Resource } from '../../../kube/types.ts'
import { openArchive } from '../../../lib/archive/archive.ts'
import { anExecution, aTask, REVIEWED } from '../../helpers/build.ts'
import { measureFolder } from '../../helpers/folder-size.ts'
import { until } from '../../helpers/until.ts'
import { type LiveRig, openLiveRig } from './rig.ts'

describe('the archive on a control plane', function () {
  let rig: LiveRig
  before(async () => {
    rig = await openLiveRig()
  })
  after(() => rig.end())

  const own: Readonly<Record<string, string>> = { [LABELS.managedBy]: MANAGED_BY }
  const create = (name: string, labels: Readonly<Record<string, string>>): Promise<Task> =>
    rig.client.create(TASKS, aTask({ name, metadata: { namespace: rig.namespace, labels } }))
  const finish = async (name: string, labels = own): Promise<void> => {
    const task = await create(name, labels)
    const { uid = '' } = task.metadata
    const reference = {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Task',
      name,
      uid,
      controller: true,
      blockOwnerDeletion: true,
    }
    const execution = anExecution({
      name: `${name}-1`,
      metadata: { namespace: rig.namespace, labels: { [LABELS.task]: name }, ownerReferences: [reference] },
      spec: { taskRef: { name } },
    })
    const made = await rig.client.create(EXECUTIONS, execution)
    const times = { startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:01:00Z' }
    await rig.client.replaceStatus(EXECUTIONS, { ...made, status: { state: 'COMPLETED', ...times } })
    await rig.client.replaceStatus(TASKS, {
      ...task,
      status: { state: 'COMPLETED', executions: 1, execution: `${name}-1`, ...times, ...REVIEWED },
    })
  }
  const namesOf = async (resource: Resource<KubeObject>): Promise<string[]> =>
    (await rig.client.list(resource, { namespace: rig.namespace })).items
      .map(({ metadata }) => metadata.name)
      .toSorted()
  const folderOf = (execution: string): string => join(rig.volumeRoot, 'executions', execution)

  it('takes tasks with their executions, and whoever makes one again gets it back as it was', async () => {
    await finish('old')
    await finish('declared', {})
    const owner = async (execution: string) =>
      (await rig.client.find(EXECUTIONS, { namespace: rig.namespace, name: execution }))?.metadata.ownerReferences?.[0]
        ?.uid
    await mkdir(folderOf('old-1'), { recursive: true })
    await writeFile(join(folderOf('old-1'), 'stdout.log'), 'kept\n')
    const retention = { ...DEFAULT_RETENTION, closed: { ageMs: 0, count: 0 } }
    await rig.startOperator({ retention })
    await until('only the declared task is left', async () => (await namesOf(TASKS)).join() === 'declared')
    await until('no execution is left', async () => (await namesOf(EXECUTIONS)).length === 0)
    await rig.stopOperator()
    const archive = openArchive(rig.volumeRoot)
    const record = await archive.find(rig.namespace, 'old')
    assert.deepEqual([record?.task.status?.state, record?.executions.length], ['COMPLETED', 1])
    assert.equal(await archive.find(rig.namespace, 'declared'), undefined)

    const again = await create('old', own)
    await rig.startOperator()
    const restored = { namespace: rig.namespace, name: 'old' }
    await until('it is restored', async () => (await rig.client.get(TASKS, restored)).status?.state === 'COMPLETED')
    await until('its record is gone', async () => (await archive.find(rig.namespace, 'old')) === undefined)
    assert.deepEqual(await namesOf(EXECUTIONS), ['old-1'])
    assert.equal(await owner('old-1'), again.metadata.uid)
    const { status } = await rig.client.get(TASKS, restored)
    assert.deepEqual({ ...status, ...REVIEWED }, status, 'its review and its pushes are as they were')
    assert.ok(existsSync(join(folderOf('old-1'), 'stdout.log')))
    await rig.stopOperator()
  })

  it('forgets beyond its limit, with record and files, and the name is free', async () => {
    await finish('forgotten')
    const key = { namespace: rig.namespace, name: 'forgotten' }
    const { uid } = (await rig.client.get(EXECUTIONS, { ...key, name: 'forgotten-1' })).metadata
    await mkdir(folderOf('forgotten-1'), { recursive: true })
    const { uid: task } = (await rig.client.get(TASKS, key)).metadata
    const mark = { uid, namespace: rig.namespace, name: 'forgotten-1', task }
    await writeFile(join(folderOf('forgotten-1'), 'owner'), JSON.stringify(mark))
    const [all, none] = [
      { ageMs: Infinity, count: Infinity },
      { ageMs: 0, count: 0 },
    ]
    await rig.startOperator({ retention: { closed: none, failed: all, archive: { ...all, count: 0 } } })
    // The mark that says whose the volume is stays.
    await until('nothing is left of it', async () => (await measureFolder(rig.volumeRoot)).files === 1)
    assert.equal(await rig.client.find(TASKS, key), undefined)
    await create('forgotten', own)
    await until('it begins anew', async () => (await rig.client.get(TASKS, key)).status?.state === 'PENDING')
  })
})
