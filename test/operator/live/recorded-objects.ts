/** Objects and definitions of an older program on a control plane, then today's definitions, today's operator, and back. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Execution, Task } from '../../../core/crd/types.ts'
import { ANNOTATIONS } from '../../../core/names.ts'
import { AGENTS, EXECUTIONS, JOBS, OUR_RESOURCES, TASKS } from '../../../kube/resources.ts'
import type { KubeClient, KubeObject, Resource } from '../../../kube/types.ts'
import { type RunningOperator, startOperator } from '../../../operator/main.ts'
import type { TestControlPlane } from '../../helpers/control-plane.ts'
import { applyCrds } from '../../helpers/crd-suite.ts'
import { applyRecordedCrds, unpackRecorded } from '../../helpers/recorded-installation.ts'
import { until } from '../../helpers/until.ts'
import { operatorOptions } from './rig.ts'

/** At rest, so the operator has no reason to move them. */
const RESTING = ['ready', 'ready-session', 'failed', 'timed-out', 'over-budget', 'asked', 'completed', 'cancelled']

/** @param start a control plane whose definitions are nobody else's */
export function describeRecordedObjects(commit: string, start: () => Promise<TestControlPlane>): void {
  let controlPlane: TestControlPlane
  let client: KubeClient
  let namespace: string
  let operator: RunningOperator | undefined
  let folder: string
  /** The repository was a folder beside the recorded one, which no cluster has. */
  const read = (file: string): unknown =>
    JSON.parse(
      readFileSync(join(folder, file), 'utf8').replaceAll(
        '/tmp/slipway-recorded/remote.git',
        'https://git.example/shop.git',
      ),
    )
  const key = (name: string) => ({ namespace, name })

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-recorded-'))
    unpackRecorded(commit, folder, ['objects.json'])
    controlPlane = await start()
    client = controlPlane.client
    namespace = await controlPlane.makeNamespace()
    await applyRecordedCrds(commit, client, namespace)
    const objects = read('objects.json') as Readonly<Record<string, readonly KubeObject[]>>
    for (const resource of OUR_RESOURCES)
      for (const object of objects[resource.plural] ?? []) await put(resource, object)
    // Pods of the tests never end.
    await client.mergePatch(AGENTS, key('script'), { spec: { maxConcurrent: 9 } })
  })
  afterEach(async () => {
    await operator?.stop()
    operator = undefined
  })
  after(async () => {
    await applyCrds(client, namespace)
    await controlPlane.stop()
    rmSync(folder, { recursive: true })
  })

  async function put(
    resource: Resource<KubeObject>,
    object: KubeObject & { readonly status?: unknown },
  ): Promise<void> {
    const { name, labels, annotations, finalizers } = object.metadata
    const metadata = {
      ...key(name),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
    }
    const made = await client.create<KubeObject>(resource, { ...object, metadata })
    if (object.status !== undefined)
      await client.replaceStatus<KubeObject>(resource, { ...made, status: object.status } as KubeObject)
  }
  async function startToday(): Promise<void> {
    operator = await startOperator(operatorOptions({ client, namespace, volumeRoot: folder }))
    await operator.ready
  }
  /** Asks as kubectl annotate does, and waits for the Job of the run. */
  async function run(name: string, action: 'run' | 'resume'): Promise<void> {
    await client.mergePatch(TASKS, key(name), { metadata: { annotations: { [ANNOTATIONS.action]: action } } })
    let task: Task | undefined
    await until(
      () => `${name} has a Job; it is ${JSON.stringify(task?.status)}`,
      async () => {
        task = await client.get<Task>(TASKS, key(name))
        return (await client.find(JOBS, key(`${task.status?.execution ?? ''}-run`))) !== undefined
      },
    )
  }
  const resting = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      await Promise.all(RESTING.map(async (name) => [name, (await client.get<Task>(TASKS, key(name))).status])),
    )

  it('are what they were under the new definitions; what was RUNNING without a pod is lost, and what is asked for runs', async () => {
    const before = await resting()
    await applyCrds(client, namespace)
    await startToday()
    for (const name of ['running-1', 'running-session-1']) {
      const find = async () => (await client.get<Execution>(EXECUTIONS, key(name))).status
      await until(`${name} has ended`, async () => (await find())?.state === 'FAILED')
      assert.equal((await find())?.error?.category, 'lost')
    }
    await run('failed', 'resume')
    delete before['failed']
    const { failed: _, ...after } = await resting()
    assert.deepEqual(after, before)
  })

  it("lose what only the new definitions have when these are rolled back, and today's operator goes on", async () => {
    const pushes = [{ head: 'a'.repeat(40), at: '2026-01-01T00:00:00Z' }]
    const ready = await client.get<Task>(TASKS, key('ready'))
    const written = { ...ready, status: { ...ready.status, state: 'READY', pushes } } as const
    assert.deepEqual((await client.replaceStatus<Task>(TASKS, written)).status?.pushes, pushes)
    await applyRecordedCrds(commit, client, namespace)
    await startToday()
    await run('timed-out', 'resume')
    // Whatever is written next takes them away, if reading does not.
    const status = { status: { summary: 'Written anew.' } }
    const settled = await client.mergePatch<Task>(TASKS, key('ready'), status, { subresource: 'status' })
    assert.equal(settled.status?.pushes, undefined)
    assert.equal(settled.status?.state, 'READY')
    await run('rejected', 'run')
    assert.deepEqual(await client.get<Task>(TASKS, key('ready')), settled)
  })
}
