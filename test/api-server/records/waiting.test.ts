// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { addMs } from '../../../core/time.ts'
import type { Pod } from '../../../kube/builtin.ts'
import { EXECUTIONS, JOBS, LEASES, PODS } from '../../../kube/resources.ts'
import { systemClock } from '../../../lib/clock.ts'
import { findSharedBranch } from '../../../lib/shared-branch.ts'
import { aJob, anAgent, anExecution, aStory, aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

/** So far ahead of the control plane that what was told to stop just now should have ended long ago. */
const AHEAD_MS = 10 * 60_000

describe('what a task waits for, over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ clock: { ...systemClock, now: () => addMs(systemClock.now(), AHEAD_MS) } })
  })
  after(() => api.stop())

  const queued = (name: string, agent: string, spec: object = {}) =>
    aTask({
      name,
      spec,
      status: { state: 'QUEUED', agent: { type: agent }, queuedAt: '2026-01-01T00:00:00Z', executions: 1 },
    })
  const waits = (id: string, words: string): Promise<void> =>
    until(`${id} waits: ${words}`, async () => at((await api.get(`/api/tasks/${id}`)).body, 'waiting_for') === words)
  const hold = (name: string, holderIdentity: string) =>
    api.client.create(LEASES, {
      metadata: { name, namespace: api.namespace, labels: { 'slipway.dev/agent': 'any' } },
      spec: { holderIdentity },
    })
  const givenPod = (name: string, execution: string, isStuck: boolean): Promise<Pod> => {
    const labels = { 'slipway.dev/execution': execution, 'slipway.dev/task': execution.replace(/-\d+$/, '') }
    const finalizers = isStuck ? { finalizers: ['slipway.dev/test'] } : {}
    return api.client.create(PODS, {
      metadata: { name, namespace: api.namespace, labels, ...finalizers },
      spec: { containers: [{ name: 'agent', image: 'none' }] },
    })
  }

  it('names the limit on reviews that holds it, and the task that has waited longest', async () => {
    await api.givenAgent(anAgent({ name: 'reviewed', spec: { maxAwaitingReview: 1 } }))
    const status = { state: 'READY', agent: { type: 'reviewed' }, executions: 1 } as const
    await api.given(aTask({ name: 'login-form', status: { ...status, finishedAt: '2026-01-01T00:00:00Z' } }))
    await api.given(queued('after-it', 'reviewed'))
    const words = (count: string): string =>
      `agent reviewed has ${count} for a person (limit 1): review login-form first`
    await waits('after-it', words('1 task that waits'))
    await api.given(aTask({ name: 'basket', status: { ...status, finishedAt: '2026-01-02T00:00:00Z' } }))
    await waits('after-it', words('2 tasks that wait'))
  })

  it('names the pod that must be deleted by force', async () => {
    await api.givenAgent(anAgent({ name: 'stuck' }))
    await api.given(queued('behind', 'stuck'))
    await hold('slipway-slot-stuck-1', 'lost-1')
    await api.givenExecution(anExecution({ name: 'lost-1', spec: { agent: 'stuck' }, status: { state: 'FAILED' } }))
    const pod = await givenPod('lost-1-run-x', 'lost-1', true)
    await waits('behind', 'agent stuck is busy with lost; next in line')
    await api.client.delete(PODS, pod.metadata)
    await waits(
      'behind',
      'agent stuck is busy with lost; pod lost-1-run-x does not end and must be deleted by force; next in line',
    )
    const { metadata, ...rest } = await api.client.get(PODS, pod.metadata)
    await api.client.replace(PODS, { ...rest, metadata: { ...metadata, finalizers: [] } })
    await waits('behind', 'agent stuck is busy with lost; next in line')
  })

  it('counts who holds a slot above a lowered number, and who runs without a Lease', async () => {
    await api.givenAgent(anAgent({ name: 'lowered' }))
    await api.given(queued('next', 'lowered'))
    await hold('slipway-slot-lowered-3', 'high-1')
    await waits('next', 'agent lowered is busy with high; next in line')
    await api.givenAgent(anAgent({ name: 'leaseless' }))
    await api.given(queued('after', 'leaseless'))
    const running = { state: 'RUNNING', execution: 'free-1', agent: { type: 'leaseless' } } as const
    await api.given(aTask({ name: 'free', status: running }))
    await waits('after', 'next in line')
    await api.givenExecution(
      anExecution({ name: 'free-1', spec: { agent: 'leaseless' }, status: { state: 'RUNNING' } }),
    )
    await waits('after', 'agent leaseless is busy with free; next in line')
  })

  it('takes a query for no task, also where it holds a slot', async () => {
    await api.givenAgent(anAgent({ name: 'asked' }))
    const spec = { agent: 'asked', purpose: 'Classify', taskRef: { name: 'about' } } as const
    const stored = anExecution({ name: 'classify-x', spec })
    const { uid: _, ...metadata } = stored.metadata
    await api.client.create(EXECUTIONS, { ...stored, metadata: { ...metadata, namespace: api.namespace } })
    await hold('slipway-slot-asked-1', 'classify-x')
    await api.given(queued('waiting', 'asked'))
    await waits('waiting', 'agent asked is busy with classify-x; next in line')
    const { body } = await api.get('/api/agents/asked')
    assert.deepEqual(
      ['status.state', 'status.task_id', 'status.execution_id'].map((path) => at(body, path)),
      ['running', undefined, 'classify-x'],
    )
  })

  it('says that the pod or the Job of an earlier execution has not ended, and holds nobody up behind it', async () => {
    await api.givenAgent(anAgent({ name: 'free' }))
    await api.given(queued('again', 'free'))
    await api.given(queued('later', 'free'))
    await waits('later', '2nd in line')
    const { metadata, ...job } = aJob({ execution: 'again-1' })
    const { uid: _, ...named } = metadata
    const created = await api.client.create(JOBS, {
      ...job,
      metadata: { ...named, namespace: api.namespace },
      spec: { suspend: true, template: { spec: { containers: [{ name: 'a', image: 'b' }], restartPolicy: 'Never' } } },
    })
    await waits('again', 'the pod of an earlier execution has not ended yet')
    await waits('later', 'next in line')
    await api.client.delete(JOBS, created.metadata)
    await waits('later', '2nd in line')
  })

  it('names the writer of a branch, though no condition has told it', async () => {
    await api.givenAgent(anAgent({ name: 'writer', spec: { maxConcurrent: 2 } }))
    await api.givenStory(aStory({ name: 'shared' }))
    await api.given(queued('second', 'writer', { storyId: 'shared' }))
    await waits('second', 'next in line')
    const shared = findSharedBranch(aTask({ spec: { storyId: 'shared' } }), aStory({ name: 'shared' }), undefined)
    await hold(shared?.lease ?? '', 'first-1')
    await waits('second', 'branch story/shared of git.example/repo is written by first')
  })

  it('says that a DONE story keeps a task from being queued or tried again by itself', async () => {
    await api.givenStory(aStory({ name: 'over', status: { status: 'DONE' } }))
    await api.given(aTask({ name: 'auto', spec: { storyId: 'over', runPolicy: 'Auto' } }))
    const failed = { state: 'FAILED', resumeAfter: '2099-01-01T00:00:00Z' } as const
    await api.given(aTask({ name: 'retried', spec: { storyId: 'over' }, status: failed }))
    await waits('auto', 'story is DONE')
    await waits('retried', 'story is DONE')
  })

  it('says in goes_on when a task goes on by itself, and leaves it out where something holds it', async () => {
    const resumeAfter = '2099-01-01T00:00:00Z'
    const failed = { state: 'FAILED', agent: { type: 'resumes' }, resumeAfter } as const
    await api.givenAgent(anAgent({ name: 'resumes' }))
    await api.givenAgent(anAgent({ name: 'stays', spec: { autoResume: false } }))
    await api.given(aTask({ name: 'tried-again', status: failed }))
    await api.given(aTask({ name: 'suspended', spec: { suspend: true }, status: failed }))
    await api.given(aTask({ name: 'of-agent', status: { ...failed, agent: { type: 'stays' } } }))
    await api.given(aTask({ name: 'of-done', spec: { storyId: 'over' }, status: failed }))
    const goesOn = async (name: string) => at((await api.get(`/api/tasks/${name}`)).body, 'goes_on')
    assert.deepEqual(await goesOn('tried-again'), { at: resumeAfter })
    for (const name of ['suspended', 'of-agent', 'of-done']) assert.equal(await goesOn(name), undefined, name)
  })
})
