/** What a tool that applies the same manifest again and again sees of decisions by annotation. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Agent, Story, Task } from '../../../core/crd/types.ts'
import { AGENTS, STORIES, TASKS } from '../../../kube/resources.ts'
import { type KubeClient, type Resource, KubeError } from '../../../kube/types.ts'
import type { OperatorOptions } from '../../../operator/main.ts'
import { aStory, aTask, anAgent } from '../../helpers/build.ts'
import { type Kubectl, needKubectl, openKubectl } from '../../helpers/kubectl.ts'
import { until } from '../../helpers/until.ts'
import { type LiveRig, openLiveRig } from './rig.ts'

type Kind = Agent | Story | Task

/** One decision on each kind that takes them, as a manifest holds it. */
const MANIFESTS: readonly (readonly [Resource<Kind>, Kind, Readonly<Record<string, string>>])[] = [
  [AGENTS, anAgent({ name: 'script' }), { 'slipway.dev/action': 'undrain' }],
  [TASKS, aTask({ name: 'task-a' }), { 'slipway.dev/action': 'cancel', 'slipway.dev/comment': 'not now' }],
  [TASKS, aTask({ name: 'task-b' }), { 'slipway.dev/action': 'run', 'slipway.dev/agent': 'script' }],
  [TASKS, aTask({ name: 'task-c' }), { 'slipway.dev/action': 'accept', 'slipway.dev/answer': 'nobody asked' }],
  [STORIES, aStory(), { 'slipway.dev/action': 'move', 'slipway.dev/status': 'BACKLOG' }],
]

/** An installation whose admission policies are in force: the operator tries a request that they refuse. */
function withPolicies(client: KubeClient): Partial<OperatorOptions> {
  const mergePatch: KubeClient['mergePatch'] = (resource, key, patch, options) =>
    options?.dryRun === true
      ? Promise.reject(new KubeError(422, 'Invalid', "ValidatingAdmissionPolicy 'slipway-decisions' denied request"))
      : client.mergePatch(resource, key, patch, options)
  return { admissionPolicies: true, client: { ...client, mergePatch } }
}

describe('a manifest with an action and its id', () => {
  let rig: LiveRig
  let folder: string
  let kubectl: Kubectl
  before(async function () {
    await needKubectl(this)
    rig = await openLiveRig()
    folder = await mkdtemp(join(tmpdir(), 'slipway-gitops-'))
    await writeFile(join(folder, 'kubeconfig'), rig.kubeconfig, { mode: 0o600 })
    kubectl = openKubectl(join(folder, 'kubeconfig'), rig.namespace)
    // The operator tries its request on an Agent.
    await rig.client.create(AGENTS, anAgent({ name: 'first', metadata: { namespace: rig.namespace } }))
    await rig.startOperator(withPolicies(rig.client))
  })
  after(async () => {
    await rig?.end()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const write = async (id: string | undefined): Promise<string> => {
    const documents = MANIFESTS.map(([, { metadata, ...object }, action]) => {
      const annotations = {
        ...action,
        'slipway.dev/by': 'alice',
        ...(id === undefined ? {} : { 'slipway.dev/action-id': id }),
      }
      return stringify({ ...object, metadata: { name: metadata.name, namespace: rig.namespace, annotations } })
    })
    const file = join(folder, `manifests-${id ?? 'none'}.yaml`)
    await writeFile(file, documents.join('---\n'))
    return file
  }
  const diff = (file: string): Promise<string> => kubectl.diff('-f', file)
  const all = (): Promise<Kind[]> =>
    Promise.all(
      MANIFESTS.map(([resource, { metadata }]) =>
        rig.client.get(resource, { namespace: rig.namespace, name: metadata.name }),
      ),
    )
  const areTaken = (id: string): Promise<void> =>
    until(`the actions of ${id} are taken or refused`, async () =>
      (await all()).every(({ status }) => status?.spentActions?.at(-1)?.id === id),
    )

  it('never differs from the objects, and each sync leaves them as they are', async () => {
    const first = await write('commit-1')
    await kubectl('apply', '-f', first)
    await areTaken('commit-1')
    assert.equal(await diff(first), '')
    const states = (await all()).map(({ status }) => status?.lastAction?.refused ?? status?.spentActions?.length)
    assert.deepEqual(states, [1, 1, 1, 'task cannot be accepted from state PENDING', 1])
    const deciders = (await all()).map(({ status }) => status?.decisions?.map(({ by }) => by))
    assert.deepEqual(deciders, [['alice'], ['alice'], ['alice'], undefined, ['alice']])
    await until('the run task waits or runs', async () => {
      const { status } = await rig.client.get(TASKS, { namespace: rig.namespace, name: 'task-b' })
      return status?.state === 'RUNNING'
    })
    await kubectl('apply', '-f', first)
    assert.equal(await diff(first), '')
    const next = await write('commit-2')
    await kubectl('apply', '-f', next)
    await areTaken('commit-2')
    assert.equal(await diff(next), '')
    await kubectl('apply', '-f', first)
    await until('the older manifest is back', async () =>
      (await all()).every(({ metadata }) => metadata.annotations?.['slipway.dev/action-id'] === 'commit-1'),
    )
    await rig.stopOperator()
    const before = await all()
    await rig.startOperator(withPolicies(rig.client))
    await kubectl('apply', '-f', first)
    assert.equal(await diff(first), '')
    assert.deepEqual(
      (await all()).map(({ status }) => status?.spentActions),
      before.map(({ status }) => status?.spentActions),
    )
  })

  it('without an id is carried out and taken away, as before', async () => {
    await kubectl('apply', '-f', await write(undefined))
    await until('the annotations are gone', async () =>
      (await all()).every(({ metadata: { annotations = {} } }) =>
        ['slipway.dev/action', 'slipway.dev/by'].every((name) => annotations[name] === undefined),
      ),
    )
  })
})
