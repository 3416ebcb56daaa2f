import assert from 'node:assert/strict'
import type { Agent, Condition, Epic, Project, Story, Task } from '../../../core/crd/types.ts'
import { AGENTS, EPICS, EXECUTIONS, PROJECTS, STORIES, TASKS } from '../../../kube/resources.ts'
import type { KubeObject, Resource } from '../../../kube/types.ts'
import { aProject, aStory, aTask, anAgent } from '../../helpers/build.ts'
import { kstatusOf } from '../../helpers/kstatus.ts'
import { until } from '../../helpers/until.ts'
import { type LiveRig, openLiveRig } from './rig.ts'

type Kind = Agent | Epic | Project | Story | Task

/** As `kubectl wait --for=condition=…` does: a condition of an older spec does not count (kubectl 1.34, wait/condition.go). */
function isMet({ metadata, status }: Kind, type: string, wanted = 'True'): boolean {
  const conditions: readonly Condition[] = status?.conditions ?? []
  const condition = conditions.find((one) => one.type === type)
  const observed = condition?.observedGeneration ?? status?.observedGeneration
  const isOld = observed !== undefined && observed < (metadata.generation ?? 1)
  return condition?.status === wanted && !isOld
}

describe('the generation that a status was made from', () => {
  let rig: LiveRig
  before(async () => {
    rig = await openLiveRig()
    await rig.startOperator()
  })
  after(() => rig.end())

  const create = async <T extends KubeObject>(resource: Resource<T>, object: T): Promise<void> => {
    const { name, annotations } = object.metadata
    const metadata = { name, namespace: rig.namespace, ...(annotations && { annotations }) }
    await rig.client.create(resource, { ...object, metadata })
  }
  const get = <T extends KubeObject>(resource: Resource<T>, name: string): Promise<T> =>
    rig.client.get(resource, { namespace: rig.namespace, name })
  const edit = (resource: Resource<KubeObject>, name: string, spec: object): Promise<KubeObject> =>
    rig.client.mergePatch(resource, { namespace: rig.namespace, name }, { spec })
  const observed = <T extends Kind>(resource: Resource<T>, name: string): Promise<void> =>
    until(`${name} is observed`, async () => {
      const { metadata, status } = await get(resource, name)
      const marks = [status?.observedGeneration, ...(status?.conditions ?? []).map((one) => one.observedGeneration)]
      return marks.every((mark) => mark === metadata.generation)
    })

  it('keeps a wait from being met by the status of an older spec, until the operator has looked at the new one', async () => {
    await create(AGENTS, anAgent({ name: 'script' }))
    await until('the agent is Ready', async () => isMet(await get(AGENTS, 'script'), 'Ready'))
    await rig.stopOperator()
    await edit(AGENTS, 'script', { adapter: 'claude' })
    assert.equal(isMet(await get(AGENTS, 'script'), 'Ready'), false)
    await rig.startOperator()
    await until('it is said not to be Ready', async () => isMet(await get(AGENTS, 'script'), 'Ready', 'False'))
    await observed(AGENTS, 'script')
  })

  it('lets a wait of Flux begin before the operator has seen the object', async () => {
    await rig.stopOperator()
    await create(PROJECTS, aProject({ name: 'unseen' }))
    await create(TASKS, aTask({ name: 'unseen' }))
    const found = async () => [kstatusOf(await get(PROJECTS, 'unseen')), kstatusOf(await get(TASKS, 'unseen'))]
    assert.deepEqual(await found(), ['InProgress', 'InProgress'])
    await rig.startOperator()
    await until('both are Current', async () => (await found()).every((status) => status === 'Current'))
  })

  it('is that of the spec for every kind, also where a change of it makes no difference', async () => {
    const epic = {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Epic',
      metadata: { name: 'epic-a' },
      spec: { title: 'E' },
    }
    await create(EPICS, epic)
    await create(PROJECTS, aProject())
    await create(STORIES, aStory())
    await create(TASKS, aTask({ name: 'cancelled', metadata: { annotations: { 'slipway.dev/action': 'cancel' } } }))
    await create(TASKS, aTask({ name: 'waiting' }))
    const all = [
      [EPICS, 'epic-a'],
      [PROJECTS, 'project-a'],
      [STORIES, 'story-a'],
      [TASKS, 'cancelled'],
      [TASKS, 'waiting'],
    ] as const
    for (const [resource, name] of all) await observed<Kind>(resource, name)
    assert.equal((await get(TASKS, 'waiting')).status?.observedGeneration, 1)
    for (const [resource, name] of all) await edit(resource, name, { title: 'Another' })
    for (const [resource, name] of all) await observed<Kind>(resource, name)
    const { status } = await get(TASKS, 'cancelled')
    assert.deepEqual([status?.state, status?.observedGeneration], ['CANCELLED', 2])
    assert.equal((await get(TASKS, 'waiting')).status?.conditions?.length ?? 0, 0)
  })

  it('is said of executions too', async () => {
    await create(AGENTS, anAgent({ name: 'other' }))
    await create(TASKS, aTask({ name: 'runs', spec: { agent: { type: 'other' }, runPolicy: 'Auto' } }))
    await until('its execution runs', async () => {
      const found = await rig.client.find(EXECUTIONS, { namespace: rig.namespace, name: 'runs-1' })
      return found?.status?.state !== undefined
    })
    const { status } = await get(EXECUTIONS, 'runs-1')
    assert.deepEqual([status?.observedGeneration, status?.conditions?.[0]?.observedGeneration], [1, 1])
  })
})
