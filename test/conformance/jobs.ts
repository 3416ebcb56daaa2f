import assert from 'node:assert/strict'
import type { JsonObject, JsonValue } from '../../embedded/schema/json.ts'
import { at, each, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { type Rig, assertStatus, CORE, given, JOBS, MERGE } from './rig.ts'

/** Jobs and their pods, played without a kubelet: the test itself reports how the pods end. */
export function describeJobs(rig: () => Rig): void {
  const jobs = (): string => JOBS(rig().namespace)
  const pods = (): string => CORE(rig().namespace, 'pods')
  const send = (...args: Parameters<Rig['http']['send']>) => rig().http.send(...args)

  function aJob(name: string, spec: JsonObject = {}): JsonObject {
    const container = { name: 'main', image: 'localhost/none', command: ['true'] }
    const template = { metadata: { labels: { app: name } }, spec: { restartPolicy: 'Never', containers: [container] } }
    return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { backoffLimit: 0, template, ...spec } }
  }

  async function podsOf(job: string): Promise<JsonValue[]> {
    const items = at(
      (await send('GET', `${pods()}?labelSelector=${encodeURIComponent(`batch.kubernetes.io/job-name=${job}`)}`)).body,
      'items',
    )
    return Array.isArray(items) ? items : []
  }

  async function firstPod(job: string): Promise<JsonValue> {
    await until(`${job} has a pod`, async () => (await podsOf(job)).length > 0)
    return (await podsOf(job))[0] ?? {}
  }

  async function end(pod: JsonValue, phase: 'Succeeded' | 'Failed'): Promise<void> {
    const answer = await send('PATCH', `${pods()}/${textAt(pod, 'metadata.name')}/status`, { status: { phase } }, MERGE)
    assert.equal(answer.status, 200, answer.text)
  }

  async function conditions(job: string): Promise<string[]> {
    const found = at((await send('GET', `${jobs()}/${job}`)).body, 'status.conditions')
    return Array.isArray(found)
      ? found.map((condition) => `${textAt(condition, 'type')} ${textAt(condition, 'reason')}`)
      : []
  }

  it('are refused where the name of a container or a volume would lead out of a folder', async () => {
    const container = { name: '../main', image: 'localhost/none', command: ['true'] }
    const volumes = [{ name: '../../up', emptyDir: {} }]
    const template = { spec: { restartPolicy: 'Never', containers: [container], volumes } }
    const answer = await send('POST', jobs(), aJob('leading-out', { template }))
    assertStatus(answer, 422, 'Invalid')
    for (const field of ['containers[0].name', 'volumes[0].name'])
      assert.ok(textAt(answer.body, 'message').includes(`spec.template.spec.${field}: Invalid value`), field)
  })

  it('get defaults, a selector by uid and labels on their template', async () => {
    const made = await given(rig(), jobs(), aJob('defaulted', { suspend: true }))
    const uid = at(made, 'metadata.uid') ?? ''
    assert.deepEqual(at(made, 'spec.selector'), { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } })
    assert.deepEqual(at(made, 'spec.template.metadata.labels'), {
      app: 'defaulted',
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'defaulted',
      'controller-uid': uid,
      'job-name': 'defaulted',
    })
    assert.deepEqual(
      [at(made, 'spec.parallelism'), at(made, 'spec.completions'), at(made, 'spec.completionMode')],
      [1, 1, 'NonIndexed'],
    )
  })

  it('make a pod that they own and track', async () => {
    const made = await given(rig(), jobs(), aJob('owning'))
    const pod = await firstPod('owning')
    assert.match(textAt(pod, 'metadata.name'), /^owning-[a-z0-9]{5}$/)
    assert.deepEqual(at(pod, 'metadata.finalizers'), ['batch.kubernetes.io/job-tracking'])
    const uid = at(made, 'metadata.uid') ?? ''
    const reference = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: 'owning',
      uid,
      controller: true,
      blockOwnerDeletion: true,
    }
    assert.deepEqual(at(pod, 'metadata.ownerReferences'), [reference])
  })

  it('are Complete when their pod has succeeded, and let it go', async () => {
    await given(rig(), jobs(), aJob('good'))
    await end(await firstPod('good'), 'Succeeded')
    await until('the job is complete', async () => (await conditions('good')).includes('Complete CompletionsReached'))
    const { body } = await send('GET', `${jobs()}/good`)
    assert.deepEqual(await conditions('good'), ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'])
    assert.equal(at(body, 'status.succeeded'), 1)
    assert.notEqual(at(body, 'status.completionTime'), undefined)
    assert.deepEqual(at(body, 'status.uncountedTerminatedPods'), {})
    assert.equal(at(await firstPod('good'), 'metadata.finalizers'), undefined)
  })

  it('are Failed when their pods have failed too often', async () => {
    await given(rig(), jobs(), aJob('bad'))
    await end(await firstPod('bad'), 'Failed')
    await until('the job has failed', async () => (await conditions('bad')).includes('Failed BackoffLimitExceeded'))
    assert.deepEqual(await conditions('bad'), ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded'])
    assert.equal(at((await send('GET', `${jobs()}/bad`)).body, 'status.failed'), 1)
    assert.equal((await podsOf('bad')).length, 1)
  })

  it('are Failed after activeDeadlineSeconds, when their pod is gone', async () => {
    await given(rig(), jobs(), aJob('late', { activeDeadlineSeconds: 1, podReplacementPolicy: 'Failed' }))
    await until('the job has failed', async () => (await conditions('late')).includes('Failed DeadlineExceeded'))
    assert.deepEqual(await conditions('late'), ['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded'])
    assert.deepEqual(await podsOf('late'), [])
  })

  it('make no pod while suspended, and one when resumed', async () => {
    await given(rig(), jobs(), aJob('asleep', { suspend: true }))
    await until('the job is suspended', async () => (await conditions('asleep')).includes('Suspended JobSuspended'))
    assert.deepEqual(await podsOf('asleep'), [])
    await send('PATCH', `${jobs()}/asleep`, { spec: { suspend: false } }, MERGE)
    await firstPod('asleep')
    // The real controller makes the pod first, and writes the status behind it.
    await until('it says so', async () => (await conditions('asleep')).join() === 'Suspended JobResumed')
  })

  it('refuse a change of their template', async () => {
    await given(rig(), jobs(), aJob('immutable', { suspend: true }))
    const patch = { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } }
    assert.equal((await send('PATCH', `${jobs()}/immutable`, patch, MERGE)).status, 422)
  })

  it('tell with Events which pods they made and how they ended', async () => {
    await given(rig(), jobs(), aJob('telling'))
    const pod = await firstPod('telling')
    await end(pod, 'Succeeded')
    const about = async (reason: string): Promise<unknown[]> => {
      const selector = encodeURIComponent(`involvedObject.kind=Job,involvedObject.name=telling,reason=${reason}`)
      const { body } = await send('GET', `${CORE(rig().namespace, 'events')}?fieldSelector=${selector}`)
      return each(body['items'], 'message')
    }
    await until('the end is told', async () => (await about('Completed')).includes('Job completed'))
    assert.deepEqual(await about('SuccessfulCreate'), [`Created pod: ${textAt(pod, 'metadata.name')}`])
  })

  it('a pod that is being deleted is not bound to a node any more', async () => {
    const container = { name: 'main', image: 'localhost/none' }
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'leaving', finalizers: ['example.com/hold'] },
      spec: { containers: [container] },
    }
    await until('pods are admitted', async () => (await send('POST', pods(), pod)).status !== 403)
    await send('DELETE', `${pods()}/leaving`)
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'leaving' },
      target: { kind: 'Node', name: 'node-1' },
    }
    const answer = await send('POST', `${pods()}/leaving/binding`, binding)
    const why = 'pod leaving is being deleted, cannot be assigned to a host'
    assertStatus(answer, 409, 'Conflict', `Operation cannot be fulfilled on pods/binding "leaving": ${why}`)
    await send('PATCH', `${pods()}/leaving`, { metadata: { finalizers: null } }, MERGE)
  })

  it('take their pods along when they are deleted in the foreground', async () => {
    await given(rig(), jobs(), aJob('gone'))
    await firstPod('gone')
    await send('DELETE', `${jobs()}/gone`, { propagationPolicy: 'Foreground' })
    await until('job and pod are gone', async () => {
      return (await podsOf('gone')).length === 0 && (await send('GET', `${jobs()}/gone`)).status === 404
    })
  })
}
