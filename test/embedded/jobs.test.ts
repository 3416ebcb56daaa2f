import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JobController, startJobController } from '../../embedded/jobs.ts'
import type { ApiObject, ObjectApi } from '../../embedded/objects.ts'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { openElapsed } from '../../lib/elapsed.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { makeMemoryApi } from '../helpers/embedded-api.ts'
import { at, each } from '../helpers/kube-http.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'

const JOBS = { group: 'batch', version: 'v1', plural: 'jobs' }
const PODS = { group: '', version: 'v1', plural: 'pods' }
const EVENTS = { group: '', version: 'v1', plural: 'events' }

function aJob(name: string, spec: JsonObject = {}): JsonObject {
  const container = { name: 'main', image: 'none', command: ['true'] }
  const template = { spec: { restartPolicy: 'Never', containers: [container] } }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { backoffLimit: 0, podReplacementPolicy: 'Failed', template, ...spec },
  }
}

describe('the Job controller', () => {
  let clock: ManualClock
  let api: ObjectApi
  let controller: JobController

  let folder: string

  const start = (logger = recordingLogger().logger): JobController => {
    const elapsed = openElapsed({ file: join(folder, 'clock.json'), clock, logger })
    return startJobController(api, elapsed, clock, logger)
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jobs-'))
    clock = manualClock()
    api = await makeMemoryApi(clock)
    controller = start()
  })
  afterEach(async () => {
    await controller.stop()
    rmSync(folder, { recursive: true })
  })

  const podsOf = (job: string): readonly ApiObject[] =>
    api.list(PODS, { namespace: 'default', labelSelector: `job-name=${job}` }).items
  const find = (name: string): ApiObject | undefined => api.find(JOBS, { namespace: 'default', name })
  const conditionTypes = (name: string) => each(at(find(name)?.['status'], 'conditions'), 'type')
  const firstPod = async (job: string): Promise<ApiObject> => {
    await until(`${job} has a pod`, () => podsOf(job).length > 0)
    const [pod] = podsOf(job)
    assert.ok(pod)
    return pod
  }
  const end = (pod: ApiObject, phase: string): Promise<ApiObject> =>
    api.updateStatus(PODS, { ...pod, status: { phase } })

  it('runs a Job to its end and tells it with an Event', async () => {
    await api.create(JOBS, aJob('good'))
    await end(await firstPod('good'), 'Succeeded')
    await until('the job is complete', () => conditionTypes('good').includes('Complete'))
    await until('the event is there', () => api.list(EVENTS).items.some((event) => event['reason'] === 'Completed'))
    assert.equal(podsOf('good')[0]?.metadata.finalizers, undefined)
  })

  it('tries again after a failure, later each time', async () => {
    await api.create(JOBS, aJob('again', { backoffLimit: 3 }))
    const pod = await firstPod('again')
    const state = { terminated: { exitCode: 1, finishedAt: clock.now().toISOString() } }
    await api.updateStatus(PODS, { ...pod, status: { phase: 'Failed', containerStatuses: [{ name: 'main', state }] } })
    await until('the failure is counted', () => at(find('again')?.['status'], 'failed') === 1)
    await clock.advance(9000)
    assert.equal(podsOf('again').length, 1)
    await clock.advance(2000)
    await until('there is a second pod', () => podsOf('again').length === 2)
  })

  it('fails a Job at its deadline, when its pod has ended', async () => {
    await api.create(JOBS, aJob('late', { activeDeadlineSeconds: 60 }))
    const pod = await firstPod('late')
    await api.update(PODS, { ...pod, spec: { ...(pod['spec'] as JsonObject), nodeName: 'node' } })
    await until('the pod is counted as active', () => at(find('late')?.['status'], 'active') === 1)
    await clock.advance(61_000)
    await until('the pod is being deleted', () => podsOf('late')[0]?.metadata.deletionTimestamp !== undefined)
    assert.deepEqual(conditionTypes('late'), ['FailureTarget'])
    await end(podsOf('late')[0] ?? pod, 'Failed')
    await until('the job has failed', () => conditionTypes('late').includes('Failed'))
  })

  it('takes no clock that was set, while it ran or not, for time that has passed', async () => {
    const dayMs = 24 * 3600 * 1000
    await api.create(JOBS, aJob('patient', { activeDeadlineSeconds: 60 }))
    const pod = await firstPod('patient')
    await api.update(PODS, { ...pod, spec: { ...(pod['spec'] as JsonObject), nodeName: 'node' } })
    await until('the pod is counted as active', () => at(find('patient')?.['status'], 'active') === 1)
    await controller.stop()
    await clock.advance(20_000)
    clock.set(dayMs)
    controller = start()
    await end(podsOf('patient')[0] ?? pod, 'Running')
    await clock.advance(30_000)
    clock.set(-2 * dayMs)
    await end(podsOf('patient')[0] ?? pod, 'Running')
    assert.deepEqual(conditionTypes('patient'), [])
    await clock.advance(10_000)
    await until('the deadline counts', () => conditionTypes('patient').includes('FailureTarget'))
  })

  it('goes on after a restart without making a second pod', async () => {
    await api.create(JOBS, aJob('restarted'))
    const pod = await firstPod('restarted')
    await controller.stop()
    await end(pod, 'Succeeded')
    controller = start()
    await until('the job is complete', () => conditionTypes('restarted').includes('Complete'))
    assert.equal(podsOf('restarted').length, 1)
  })

  it('counts a pod that someone deleted before it was seen', async () => {
    await api.create(JOBS, aJob('hasty'))
    const pod = await firstPod('hasty')
    await controller.stop()
    await end(pod, 'Succeeded')
    await api.delete(PODS, { namespace: 'default', name: pod.metadata.name }, { gracePeriodSeconds: 0 })
    controller = start()
    await until('the job is complete', () => conditionTypes('hasty').includes('Complete'))
    assert.equal(at(find('hasty')?.['status'], 'succeeded'), 1)
    await until('the pod is gone', () => podsOf('hasty').length === 0)
  })

  it('has nothing to complain of when a Job is deleted while its status is written', async () => {
    await controller.stop()
    const { logger, lines } = recordingLogger()
    const whole = api
    let isDeleted = false
    // Whoever cancels an execution deletes its Job.
    const updateStatus: ObjectApi['updateStatus'] = async (resource, object) => {
      if (resource.plural === 'jobs') {
        await whole.delete(JOBS, { namespace: 'default', name: 'unwanted' }, { propagationPolicy: 'Background' })
        isDeleted = true
      }
      return whole.updateStatus(resource, object)
    }
    api = { ...whole, updateStatus }
    controller = start(logger)
    await api.create(JOBS, aJob('unwanted'))
    await until('it was deleted', () => isDeleted && find('unwanted') === undefined)
    await controller.stop()
    assert.deepEqual(
      lines.filter(({ level }) => Number(level) >= 40),
      [],
    )
  })

  it('lets go of the pods of a Job that is gone', async () => {
    await api.create(JOBS, aJob('removed'))
    await firstPod('removed')
    await api.delete(JOBS, { namespace: 'default', name: 'removed' }, { propagationPolicy: 'Background' })
    await until('the pod has no finalizer', () =>
      podsOf('removed').every(({ metadata }) => metadata.finalizers === undefined),
    )
  })

  it('removes a finished Job after its time to live', async () => {
    await api.create(JOBS, aJob('short', { ttlSecondsAfterFinished: 30 }))
    await end(await firstPod('short'), 'Succeeded')
    await until('the job is complete', () => conditionTypes('short').includes('Complete'))
    await clock.advance(31_000)
    await until('the job is being deleted', () => find('short')?.metadata.deletionTimestamp !== undefined)
  })
})
