// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type ApiServer, startApiServer } from '../../../api-server/main.ts'
import type { JsonValue } from '../../../embedded/schema/json.ts'
import { TASKS } from '../../../kube/resources.ts'
import { systemClock } from '../../../lib/clock.ts'
import { makeLogger } from '../../../lib/log.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

describe('the tasks of a story over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const open = async (id: string): Promise<string> => {
    assert.equal((await api.post('/api/stories', { id, name: id })).status, 201)
    return `/api/stories/${id}/tasks`
  }
  const add = async (path: string, task: object): Promise<JsonValue | undefined> => {
    const { status, body, text } = await api.post(path, { name: 'Step', ...task })
    assert.equal(status, 201, text)
    return body
  }
  /** Demands that each task waits for exactly the one before it, and gives the chain from its begin. */
  const demandChain = async (path: string, length: number): Promise<string[]> => {
    const tasks = itemsOf((await api.get(path)).body)
    assert.equal(tasks.length, length)
    const waits = new Map(tasks.map((task) => [JSON.stringify(at(task, 'depends_on')), textAt(task, 'id')]))
    const chain: string[] = []
    for (let next = waits.get('[]'); next !== undefined; next = waits.get(JSON.stringify([next]))) chain.push(next)
    assert.equal(chain.length, length, `not one chain: ${JSON.stringify([...waits])}`)
    return chain
  }

  it('wires each task behind the one before it, and lists them in that order', async () => {
    const path = await open('ordered')
    for (const id of ['z-first', 'm-second', 'a-third']) await add(path, { id })
    assert.deepEqual(await demandChain(path, 3), ['z-first', 'm-second', 'a-third'])
    assert.deepEqual(idsOf((await api.get(path)).body), ['z-first', 'm-second', 'a-third'])
    assert.equal(at((await api.get('/api/stories/ordered')).body, 'root_task_id'), 'z-first')
  })

  it('answers with the whole task and its address, in the story and its project, whichever way it was created', async () => {
    await api.post('/api/projects', { id: 'shop', name: 'Shop', remote_url: 'https://git.example/shop.git' })
    await api.post('/api/stories', { id: 'placed', name: 'Placed', project_id: 'shop' })
    const { status, body, headers } = await api.post('/api/stories/placed/tasks', { name: 'Step', priority: 3 })
    const id = textAt(body, 'id')
    assert.deepEqual([status, headers.get('location')], [201, `/api/tasks/${id}`])
    assert.deepEqual([at(body, 'story_id'), at(body, 'project'), at(body, 'priority')], ['placed', 'shop', 3])
    assert.deepEqual((await api.get(`/api/tasks/${id}`)).body, body)
    const beside = await add('/api/tasks', { story_id: 'placed' })
    assert.deepEqual([at(beside, 'project'), at(beside, 'depends_on')], ['shop', []])
    const own = await add('/api/stories/placed/tasks', { repository_url: 'https://git.example/other.git' })
    assert.deepEqual([at(own, 'project'), at(own, 'repository_url')], [undefined, 'https://git.example/other.git'])
  })

  it('keeps the dependencies that the caller names', async () => {
    const path = await open('explicit')
    await api.given(aTask({ name: 'outside' }))
    await add(path, { id: 'ex-1' })
    assert.deepEqual(at(await add(path, { depends_on: ['outside'] }), 'depends_on'), ['outside', 'ex-1'])
  })

  it('leaves a subtask where it is, below its parent', async () => {
    const path = await open('nested')
    await add(path, { id: 'parent' })
    const subtask = await add(path, { id: 'child', parent_task_id: 'parent' })
    assert.deepEqual([at(subtask, 'depends_on'), at(subtask, 'parent_task_id')], [[], 'parent'])
    assert.deepEqual(at(await add(path, { id: 'next' }), 'depends_on'), ['parent'])
  })

  it('goes on behind what kubectl has put behind the end, and behind all there is while none was added over REST', async () => {
    const path = await open('mixed')
    for (const name of ['left', 'right']) await api.given(aTask({ name, spec: { storyId: 'mixed' } }))
    assert.deepEqual(at(await add(path, { id: 'joined' }), 'depends_on'), ['left', 'right'])
    await api.given(aTask({ name: 'by-kubectl', spec: { storyId: 'mixed', dependsOn: ['joined'] } }))
    assert.deepEqual(at(await add(path, {}), 'depends_on'), ['by-kubectl'])
  })

  it('goes on after the end of the chain was deleted', async () => {
    const path = await open('shortened')
    for (const id of ['sh-1', 'sh-2']) await add(path, { id })
    assert.equal((await api.delete('/api/tasks/sh-2')).status, 204)
    await add(path, { id: 'sh-3' })
    assert.deepEqual(await demandChain(path, 2), ['sh-1', 'sh-3'])
  })

  it('goes on behind a task that a server created and died before noting it as the end', async () => {
    const path = await open('crashed')
    await add(path, { id: 'cr-1' })
    await api.given(aTask({ name: 'cr-2', spec: { storyId: 'crashed', dependsOn: ['cr-1'] } }))
    await add(path, { id: 'cr-3' })
    assert.deepEqual(await demandChain(path, 3), ['cr-1', 'cr-2', 'cr-3'])
  })

  it('does not fork when twenty are added at once', async () => {
    const path = await open('rush')
    await Promise.all(Array.from({ length: 20 }, () => add(path, {})))
    await demandChain(path, 20)
  })

  it('refuses another story in the body, an unknown story, and any task of a DONE one', async () => {
    const path = await open('strict')
    const foreign = await api.post(path, { name: 'x', story_id: 'rush' })
    assert.equal(foreign.status, 400)
    assert.match(textAt(foreign.body, 'error'), /story_id: must be strict or left out, not rush/)
    assert.equal((await api.post('/api/stories/nothing/tasks', { name: 'x' })).status, 404)
    await api.givenStory(aStory({ name: 'over', status: { status: 'DONE' } }))
    await until('the server knows that it is DONE', async () => {
      const { body } = await api.get('/api/stories/over')
      return at(body, 'status') === 'DONE'
    })
    for (const body of [{ name: 'x' }, { name: 'x', story_id: 'over' }]) {
      const done = await api.post('/api/stories/over/tasks', body)
      assert.deepEqual([done.status, textAt(done.body, 'error')], [409, 'story is DONE'])
    }
    assert.deepEqual((await api.get('/api/stories/over/tasks')).body, [])
  })

  describe('with two servers', () => {
    let second: ApiServer
    before(async () => {
      second = await startApiServer({
        client: api.client,
        namespace: api.namespace,
        volumeRoot: api.volumeRoot,
        workspaceRoot: api.workspaceRoot,
        host: '127.0.0.1',
        port: 0,
        insecure: false,
        apiDocsFolder: '',
        uiFolder: '',
        version: { version: '0.0.0-test', commit: '', built_at: '' },
        embedded: true,
        clock: systemClock,
        logger: makeLogger('silent'),
        randomBytes,
      })
    })
    after(() => second.stop())

    it('does not fork when each adds ten at once', async () => {
      const path = await open('shared')
      const addThere = async (): Promise<void> => {
        const headers = { 'Content-Type': 'application/json' }
        const answer = await fetch(`${second.url}${path}`, { method: 'POST', headers, body: '{"name":"There"}' })
        assert.equal(answer.status, 201, await answer.text())
      }
      await Promise.all(Array.from({ length: 10 }, () => [add(path, { name: 'Here' }), addThere()]).flat())
      const { items } = await api.client.list(TASKS, { namespace: api.namespace })
      const links = items.filter(({ spec }) => spec.storyId === 'shared')
      const waits = links.map(({ spec }) => spec.dependsOn?.length ?? 0)
      assert.deepEqual([links.length, waits.filter((count) => count === 1).length, Math.max(...waits)], [20, 19, 1])
      assert.equal(new Set(links.flatMap(({ spec }) => spec.dependsOn ?? [])).size, 19)
    })
  })
})
