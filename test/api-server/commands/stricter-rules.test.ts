// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { Task } from '../../../core/crd/types.ts'
import { parseObject } from '../../../core/json.ts'
import { TASKS } from '../../../kube/resources.ts'
import { aTask } from '../../helpers/build.ts'
import { relaxCrd, takes } from '../../helpers/crd-ratcheting.ts'
import { applyCrds } from '../../helpers/crd-suite.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

const TITLE = 'fix \u202elogin'

describe('a task that was stored before the rules became stricter', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await relaxCrd(api.client, 'tasks.slipway.dev')
    const task = aTask({ name: 'old', spec: { title: TITLE, repositoryUrl: 'myhost:app.git' } })
    await until('the CRD is relaxed', () => takes(() => api.given(task)))
    await applyCrds(api.client, api.namespace)
    const next: Task = { ...task, metadata: { ...task.metadata, name: 'next', namespace: api.namespace } }
    const isTaken = (): Promise<boolean> => takes(() => api.client.create(TASKS, next, { dryRun: true }))
    await until('the rules hold again', async () => !(await isTaken()))
  })
  after(() => api.stop())

  it('is read, and changed in another field, also by a client that sends back all that it has read', async () => {
    const { status, body } = await api.put('/api/tasks/old', { description: 'more' })
    assert.deepEqual([status, at(body, 'name'), at(body, 'description')], [200, TITLE, 'more'])
    const whole = { ...parseObject((await api.get('/api/tasks/old')).text), priority: 2 }
    const again = await api.put('/api/tasks/old', whole)
    assert.deepEqual([again.status, at(again.body, 'name'), at(again.body, 'priority')], [200, TITLE, 2])
  })

  it('keeps its name or takes one that is right', async () => {
    const refused = await api.put('/api/tasks/old', { name: `${TITLE}!` })
    assert.equal(refused.status, 400)
    assert.match(textAt(refused.body, 'error'), /^name: must not contain characters that turn the direction of text/)
    assert.equal((await api.put('/api/tasks/old', { name: 'fix login' })).status, 200)
  })

  it('cannot be copied under another id', async () => {
    const { status, body } = await api.post('/api/tasks', { name: TITLE })
    assert.deepEqual([status, textAt(body, 'error').startsWith('name: ')], [400, true])
    const url = await api.post('/api/tasks', { name: 'x', repository_url: 'myhost:app.git' })
    assert.deepEqual(
      [url.status, textAt(url.body, 'error').startsWith('repository_url: must be an https')],
      [400, true],
    )
  })
})
