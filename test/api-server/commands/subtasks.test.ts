// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { aProject, aStory, aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { type Answer, type Rig, idsOf, startRig } from '../rig.ts'

const PLACE = ['project', 'repository_url', 'story_id'] as const

describe('a subtask over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    for (const name of ['site', 'shop']) await api.givenProject(aProject({ name }))
    for (const name of ['open', 'other']) await api.givenStory(aStory({ name, spec: { projectId: 'shop' } }))
    await api.givenStory(aStory({ name: 'done', status: { status: 'DONE' } }))
    const repositoryUrl = 'https://git.example/own.git'
    await api.given(aTask({ name: 'owner', spec: { project: 'site', repositoryUrl, storyId: 'open' } }))
    await api.given(aTask({ name: 'late', spec: { storyId: 'done' } }))
    await api.post('/api/tasks', { id: 'nowhere', name: 'n' })
  })
  after(() => api.stop())

  const create = (more: object): Promise<Answer> =>
    api.post('/api/tasks', { name: 'part', parent_task_id: 'owner', ...more })
  const placeOf = ({ body }: Answer) => PLACE.map((field) => at(body, field))

  it('works where its parent does and belongs to its story, and its 201 says so', async () => {
    const made = await create({ id: 'heir' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(placeOf(made), ['site', 'https://git.example/own.git', 'open'])
    assert.deepEqual(at(made.body, 'depends_on'), [])
    assert.ok(idsOf((await api.get('/api/stories/open/tasks')).body).includes('heir'))
  })

  for (const { more, place } of [
    { more: { project: 'shop' }, place: ['shop', undefined, 'open'] },
    { more: { repository_url: 'https://git.example/x.git' }, place: [undefined, 'https://git.example/x.git', 'open'] },
    { more: { story_id: 'other' }, place: ['shop', undefined, 'other'] },
    { more: { parent_task_id: 'nowhere' }, place: [undefined, undefined, undefined] },
    { more: { parent_task_id: 'nowhere', story_id: 'open' }, place: ['shop', undefined, 'open'] },
  ])
    it(`with ${JSON.stringify(more)} takes no more than it leaves out`, async () => {
      assert.deepEqual(placeOf(await create(more)), place)
    })

  it('made in its story takes the repository of its parent, which comes before the story', async () => {
    const made = await api.post('/api/stories/open/tasks', { name: 'part', parent_task_id: 'owner' })
    assert.deepEqual(placeOf(made), ['site', 'https://git.example/own.git', 'open'])
  })

  it('of a parent in a DONE story is refused with 409', async () => {
    const { status, body } = await create({ parent_task_id: 'late' })
    assert.deepEqual([status, body], [409, { error: 'story is DONE' }])
  })
})
