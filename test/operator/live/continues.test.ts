// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EXECUTION_FILES, executionPath, sandboxPath } from '../../../core/execution/layout.ts'
import { AGENTS, EXECUTIONS, JOBS, TASKS } from '../../../kube/resources.ts'
import { isInvalid } from '../../../kube/types.ts'
import { anAgent } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { runSpecOf } from '../world.ts'
import { type VolumeRig, openVolumeRig } from './volume-rig.ts'

const ID = '01a22089-2b8e-7a51-904c-d7d48494d8aa'

describe('a task that goes on from accepted work, on a control plane', () => {
  let rig: VolumeRig
  before(async () => {
    rig = await openVolumeRig()
    await rig.startOperator({ installation: { isolation: 'none', allowUnsandboxed: true, embedded: false } })
    const { metadata: _, ...agent } = anAgent({ spec: { adapter: 'claude', credentials: {} } })
    await rig.client.create(AGENTS, { ...agent, metadata: { name: 'claude', namespace: rig.namespace } })
  })
  after(() => rig.end())

  const reach = (name: string, state: string): Promise<void> =>
    until(`${name} is ${state}`, async () => (await rig.state(name)) === state)

  it('begins with a copy of the session that its work ended with, and its record says so', async () => {
    const { namespace, volumeRoot } = rig
    await rig.createTask('done', 'claude')
    await rig.runs('done')
    const session = join(volumeRoot, sandboxPath('done'), 'home/.claude/projects/-x', `${ID}.jsonl`)
    await mkdir(dirname(session), { recursive: true })
    await writeFile(session, 'said')
    await rig.endPod('done', { sessionId: ID })
    await reach('done', 'READY')
    const annotations = { 'slipway.dev/action': 'accept' }
    await rig.client.mergePatch(TASKS, { namespace, name: 'done' }, { metadata: { annotations } })
    await reach('done', 'COMPLETED')
    await rig.createTask('more', 'claude', { continues: 'done' })
    await rig.runs('more')
    const { continues, agent } = runSpecOf(await rig.client.get(JOBS, { namespace, name: 'more-1-run' }))
    assert.deepEqual([continues, agent.sessionId], [{ task: 'done' }, ID])
    await access(join(volumeRoot, executionPath('more-1'), EXECUTION_FILES.continued))
    await until('the record says so', async () => {
      const { status } = await rig.client.get(EXECUTIONS, { namespace, name: 'more-1' })
      return status?.continued?.task === 'done' && status.continued.told === undefined
    })
  })

  it('is refused where it names itself', async () => {
    await assert.rejects(rig.createTask('self', 'claude', { continues: 'self' }), isInvalid)
  })
})
