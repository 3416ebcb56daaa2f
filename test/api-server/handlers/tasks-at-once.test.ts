import assert from 'node:assert/strict'
import { at } from '../../helpers/kube-http.ts'
import { type Rig, startRig } from '../rig.ts'

describe('edits of tasks at once', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const given = async (id: string): Promise<void> => {
    assert.equal((await api.post('/api/tasks', { id, name: id })).status, 201)
  }
  const put = (id: string, body: object) => api.request('PUT', `/api/tasks/${id}`, JSON.stringify(body))

  it('are all done where none names a version, however many change one task', async () => {
    await given('busy')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => put('busy', { priority: i + 1 })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
  })

  it('cannot make tasks wait for one another, each by one half of the circle', async () => {
    for (const round of [1, 2, 3]) {
      const [a, b] = [`a-${round}`, `b-${round}`]
      await given(a)
      await given(b)
      const answers = await Promise.all([put(a, { depends_on: [b] }), put(b, { depends_on: [a] })])
      assert.deepEqual(answers.map(({ status }) => String(status)).sort(), ['200', '400'])
    }
  })

  it('take no option of a program for a model, and no line break in an image', async () => {
    const model = await api.post('/api/tasks', { name: 'x', agent: { type: 'script', model: '--dangerous' } })
    const image = await api.post('/api/tasks', { name: 'x', container_image: 'a\nb' })
    assert.deepEqual(
      [model.status, at(model.body, 'error'), image.status],
      [400, 'agent.model: must be one line that begins neither with - nor with a blank', 400],
    )
  })
})
