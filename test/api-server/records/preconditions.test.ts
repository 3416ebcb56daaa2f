// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { Route } from '../../../core/rest/route.ts'
import { ROUTES } from '../../../core/rest/routes.ts'
import { anAgent, aProject, aStory, aTask, text } from '../../helpers/build.ts'
import { TASKS } from '../../../kube/resources.ts'
import { until } from '../../helpers/until.ts'
import { textAt } from '../../helpers/kube-http.ts'
import { type Rig, startRig } from '../rig.ts'

/** Operations on a record of their own: a change, its removal, or something done with it. */
const DECISIONS: readonly Route[] = ROUTES.filter(
  ({ method, path }: Route) =>
    method !== 'GET' && /^\/api\/(tasks|stories|epics|projects|agents|pool\/agents)\/\{\w+\}(\/\w+)?$/.test(path),
)
/** What makes another record below one. */
const CREATES = ['createStoryTask', 'createStoryEvent', 'restoreTask']
const BODIES: Readonly<Record<string, object>> = {
  rejectTask: { comment: 'no' },
  answerTask: { answer: 'yes' },
  moveStory: { status: 'BACKLOG' },
}

describe('If-Match', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.post('/api/epics', { id: 'epics', name: 'e' })
    await api.givenProject(aProject({ name: 'projects' }))
    await api.givenAgent(anAgent({ name: 'agents' }))
    await api.givenStory(aStory({ name: 'accepted', status: { status: 'REVIEW_READY' } }))
    await api.givenStory(aStory({ name: 'stories' }))
    const question = { items: [{ text: text('q') }] }
    const states = {
      acceptTask: { state: 'READY' },
      rejectTask: { state: 'READY' },
      answerTask: { state: 'BLOCKED', question },
      resumeTask: { state: 'FAILED' },
    } as const
    for (const [id, status] of Object.entries(states)) await api.given(aTask({ name: id.toLowerCase(), status }))
    await api.given(aTask({ name: 'tasks' }))
  })
  after(() => api.stop())

  const recordFor = ({ id, path }: Route): string => {
    if (['acceptTask', 'rejectTask', 'answerTask', 'resumeTask'].includes(id)) return id.toLowerCase()
    return id === 'acceptStory' ? 'accepted' : (path.replace('/pool', '').split('/')[2] ?? '')
  }

  for (const route of DECISIONS.filter(({ id }) => !CREATES.includes(id))) {
    it(`of an older version is refused with 412 by ${route.id}, which declares it, and nothing is done`, async () => {
      assert.ok(route.errors.includes(412), `${route.id} does not declare 412`)
      const [name, kind] = [recordFor(route), route.path.replace('/pool', '').split('/')[2] ?? '']
      const seen = (await api.get(`/api/${kind}/${name}`)).headers.get('etag') ?? ''
      const body = route.body === undefined ? undefined : (BODIES[route.id] ?? {})
      const path = route.path.replace(/\{\w+\}/, name)
      const { status, body: answer } = await api.request(route.method, path, body, { 'If-Match': '"1"' })
      assert.equal(status, 412)
      assert.match(textAt(answer, 'error'), new RegExp(`^${name} has changed since it was read`))
      assert.equal((await api.get(`/api/${kind}/${name}`)).headers.get('etag'), seen)
    })
  }

  it('of an edit passes when since then only the operator has noted that it knows the new spec', async () => {
    const status = { state: 'FAILED', error: { category: 'failed', message: text('why') } } as const
    await api.given(aTask({ name: 'edited', status }))
    const edit = await api.put('/api/tasks/edited', { description: 'clearer' })
    const etag = edit.headers.get('etag') ?? ''
    const noted = await api.setStatus(TASKS, 'edited', { ...status, observedGeneration: 2 })
    await until('it is known', async () => {
      const now = (await api.get('/api/tasks/edited')).headers.get('etag') ?? ''
      return now.includes(noted.metadata.resourceVersion ?? '?')
    })
    const again = await api.put('/api/tasks/edited', { description: 'still clearer' }, { 'If-Match': etag })
    assert.equal(again.status, 200, again.text)
  })

  it('of the present version lets a decision and a removal pass', async () => {
    const etag = async () => (await api.get('/api/tasks/tasks')).headers.get('etag') ?? ''
    const run = await api.post('/api/tasks/tasks/run', undefined, { 'If-Match': await etag() })
    assert.equal(run.status, 202, run.text)
    const cancel = await api.post('/api/tasks/tasks/cancel', undefined, { 'If-Match': await etag() })
    assert.equal(cancel.status, 200, cancel.text)
    const removal = await api.request('DELETE', '/api/tasks/tasks', undefined, { 'If-Match': await etag() })
    assert.equal(removal.status, 204, removal.text)
  })
})
