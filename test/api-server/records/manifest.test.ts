import assert from 'node:assert/strict'
import { parse, parseAllDocuments } from 'yaml'
import { EVENTS, PODS } from '../../../kube/resources.ts'
import type { Event } from '../../../kube/builtin.ts'
import type { KubeObject } from '../../../kube/types.ts'
import { anExecution, aPod, aTask } from '../../helpers/build.ts'
import type { Rig } from '../rig.ts'
import { startRig } from '../rig.ts'

describe('manifests over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    const { namespace } = api
    const pod = aPod({ name: 'seen-1-run-x', metadata: { namespace } })
    const { uid: _, labels, name } = pod.metadata
    const spec = { containers: [{ name: 'deliver', image: 'x' }] }
    const created = await api.client.create(PODS, {
      ...pod,
      metadata: { name, namespace, ...(labels && { labels }) },
      spec,
    })
    await api.client.replaceStatus(PODS, { ...created, status: { phase: 'Running' } })
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

  it('answer 404 for what is not there', async () => {
    for (const path of ['tasks', 'executions', 'projects']) {
      assert.equal((await api.get(`/api/${path}/nothing/manifest`)).status, 404, path)
    }
  })
})
