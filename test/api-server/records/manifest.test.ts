// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { parse, parseAllDocuments } from 'yaml'
import { EVENTS, PODS } from '../../../kube/resources.ts'
import type { Event } from '../../../kube/builtin.ts'
import type { KubeObject } from '../../../kube/types.ts'
import { anExecution, aPod, aStory, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

describe('manifests over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    const { namespace } = api
    const pod = aPod({ name: 'seen-1-run-x', metadata: { namespace } })
    const { uid: _, labels, name } = pod.metadata
    const spec = { nodeName: 'worker', containers: [{ name: 'deliver', image: 'x' }] }
    const created = await api.client.create(PODS, {
      ...pod,
      metadata: { name, namespace, ...(labels && { labels }) },
      spec,
    })
    const container = { ready: false, restartCount: 0, image: 'x', imageID: '' }
    await api.client.replaceStatus(PODS, {
      ...created,
      status: {
        phase: 'Running',
        initContainerStatuses: [
          { ...container, name: 'prepare', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          {
            ...container,
            name: 'agent',
            restartCount: 2,
            state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } },
          },
        ],
        containerStatuses: [{ ...container, name: 'deliver' }],
      },
    })
    await happened(created, 'Pod', 'Failed', 'Error: ImagePullBackOff')
    const status = { state: 'RUNNING', pod: { name } } as const
    const execution = await api.givenExecution(anExecution({ name: 'seen-1', status }))
    await happened(execution, 'Execution', 'Started', 'two\nlines: here')
    await api.given(aTask({ name: 'seen', status: { state: 'RUNNING', execution: 'seen-1' } }))
    await api.givenExecution(anExecution({ name: 'seen-2' }))
  })
  after(() => api.stop())

  const happened = async ({ metadata }: KubeObject, kind: string, reason: string, message: string): Promise<void> => {
    const { name, namespace = '', uid = '' } = metadata
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${reason.toLowerCase()}`, namespace },
      involvedObject: { kind, name, namespace, uid },
      type: 'Normal',
      reason,
      message,
      count: 3,
      firstTimestamp: '2026-01-01T00:00:00Z',
      source: { component: 'slipway' },
    }
    await api.client.create(EVENTS, event)
  }

  it('show an execution with its events, its pod and what happened to the pod', async () => {
    const { status, text } = await api.get('/api/executions/seen-1/manifest')
    assert.equal(status, 200)
    assert.match(text, /^# Events:\n# .* {2}Normal {2}Started {2}two\n# lines: here \(3 times\)$/m)
    assert.match(text, /^# Pod seen-1-run-x:\n# {3}phase: Running$/m)
    assert.match(text, /^# Events of pod seen-1-run-x:\n# .*ImagePullBackOff/m)
  })

  it('stay one YAML document that names the resource, whatever the events say', async () => {
    const { text } = await api.get('/api/executions/seen-1/manifest')
    assert.equal(parseAllDocuments(text).length, 1)
    const { kind, metadata } = parse(text) as KubeObject
    assert.deepEqual([kind, metadata.name, Object.hasOwn(metadata, 'managedFields')], ['Execution', 'seen-1', false])
  })

  it('show the pod of a task by its execution, and say so when there is none', async () => {
    assert.match((await api.get('/api/tasks/seen/manifest')).text, /^# Pod seen-1-run-x:/m)
    assert.match((await api.get('/api/executions/seen-2/manifest')).text, /^# Pod: none$/m)
  })

  it('tell the same as JSON: events, and the pod with its containers and its own events', async () => {
    const { status, body } = await api.get('/api/executions/seen-1/kubernetes')
    assert.equal(status, 200)
    const { namespace } = api
    assert.deepEqual([at(body, 'namespace'), at(body, 'problems')], [namespace, []])
    const told = ['id', 'type', 'reason', 'message', 'count', 'first_at', 'source']
    assert.deepEqual(
      told.map((name) => at(body, `events.0.${name}`)),
      ['seen-1.started', 'Normal', 'Started', 'two\nlines: here', 3, '2026-01-01T00:00:00Z', 'slipway'],
    )
    assert.match(textAt(body, 'events.0.last_at'), /^\d{4}-/)
    const pod = at(body, 'pod')
    assert.deepEqual(
      ['name', 'is_gone', 'phase', 'node', 'containers'].map((name) => at(pod, name)),
      [
        'seen-1-run-x',
        false,
        'Running',
        'worker',
        [
          { name: 'prepare', state: 'terminated', reason: 'Completed', exit_code: 0, restarts: 0 },
          { name: 'agent', state: 'waiting', reason: 'ImagePullBackOff', message: 'no such image', restarts: 2 },
          { name: 'deliver', restarts: 0 },
        ],
      ],
    )
    assert.deepEqual(
      itemsOf(at(pod, 'events')).map((each) => at(each, 'message')),
      ['Error: ImagePullBackOff'],
    )
  })

  it('tell it of a task by its execution, of a story without a pod, and of a pod that is gone', async () => {
    assert.equal(at((await api.get('/api/tasks/seen/kubernetes')).body, 'pod.name'), 'seen-1-run-x')
    assert.equal(at((await api.get('/api/executions/seen-2/kubernetes')).body, 'pod'), undefined)
    await api.givenStory(aStory({ name: 'told' }))
    assert.deepEqual((await api.get('/api/stories/told/kubernetes')).body, {
      namespace: api.namespace,
      events: [],
      problems: [],
    })
    await api.givenExecution(anExecution({ name: 'seen-3', status: { state: 'RUNNING', pod: { name: 'no-more' } } }))
    assert.deepEqual(at((await api.get('/api/executions/seen-3/kubernetes')).body, 'pod'), {
      name: 'no-more',
      is_gone: true,
      containers: [],
      events: [],
    })
    assert.match((await api.get('/api/executions/seen-3/manifest')).text, /^# Pod no-more:\n# {3}gone$/m)
  })

  it('answer 404 for what is not there', async () => {
    for (const path of ['tasks', 'executions', 'projects']) {
      assert.equal((await api.get(`/api/${path}/nothing/manifest`)).status, 404, path)
    }
    for (const path of ['tasks', 'executions', 'stories']) {
      assert.equal((await api.get(`/api/${path}/nothing/kubernetes`)).status, 404, path)
    }
  })

  it('say what cannot be read while the control plane is away, and show what is known', async () => {
    await api.stopControlPlane()
    try {
      const { status, body } = await api.get('/api/executions/seen-1/kubernetes')
      assert.deepEqual(
        [status, at(body, 'events'), at(body, 'pod.name'), at(body, 'pod.phase')],
        [200, [], 'seen-1-run-x', 'Unknown'],
      )
      const { text } = await api.get('/api/executions/seen-1/manifest')
      for (const [problem, what] of [
        [textAt(body, 'problems.0'), /^Events: not available \(/],
        [textAt(body, 'problems.1'), /^Pod seen-1-run-x: not available \(/],
      ] as const) {
        assert.match(problem, what)
        assert.ok(text.includes(`# ${problem}`), text)
      }
    } finally {
      await api.startControlPlane()
    }
  })
})
