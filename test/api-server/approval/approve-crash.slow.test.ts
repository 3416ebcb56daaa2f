// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiServer, startApiServer } from '../../../api-server/main.ts'
import { EVENTS, EXECUTIONS, STORIES, TASKS } from '../../../kube/resources.ts'
import { type KubeClient, type KubeObject, type Resource, KubeError } from '../../../kube/types.ts'
import { aStory } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { endDelivery, nextDelivery, REFUSED } from '../deliveries.ts'
import { type Rig, idsOf, startRig } from '../rig.ts'

const PLAN = {
  name: 'Checkout',
  branch_name: 'story/checkout',
  project_id: 'site',
  tasks: [{ name: 'Form', subtasks: [{ name: 'Fields' }] }, { name: 'Pay' }],
}

/** A control plane that takes `writes` changes of ours, and then none, as if the server had died. */
function dyingAfter(client: KubeClient, writes: number): { client: KubeClient; isDead: () => boolean } {
  let left = writes
  const count = async <T>(resource: Resource<KubeObject>, write: () => Promise<T>): Promise<T> => {
    if (resource.group !== 'slipway.dev') return write()
    if (left <= 0) {
      left = -1
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    }
    left -= 1
    return write()
  }
  const wrapped: KubeClient = {
    get: (...args) => client.get(...args),
    find: (...args) => client.find(...args),
    list: (...args) => client.list(...args),
    watch: (...args) => client.watch(...args),
    podLog: (...args) => client.podLog(...args),
    create: (resource, ...args) => count(resource, () => client.create(resource, ...args)),
    replace: (resource, ...args) => count(resource, () => client.replace(resource, ...args)),
    replaceStatus: (resource, ...args) => count(resource, () => client.replaceStatus(resource, ...args)),
    mergePatch: (resource, ...args) => count(resource, () => client.mergePatch(resource, ...args)),
    delete: (resource, ...args) => count(resource, () => client.delete(resource, ...args)),
  }
  return { client: wrapped, isDead: () => left < 0 }
}

describe('an approval whose server dies', () => {
  let api: Rig
  const servers: ApiServer[] = []
  beforeEach(async () => {
    api = await startRig()
    await api.post('/api/projects', { id: 'site', name: 'Site', remote_url: 'https://git.example/site.git' })
    await until('the project is known', async () => (await api.get('/api/projects/site')).status === 200)
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop()
    await api.stop()
  })

  const start = async (client: KubeClient = api.client): Promise<ApiServer> => {
    const server = await startApiServer({ ...api.options, client })
    servers.push(server)
    return server
  }
  const approveAt = async ({ url }: ApiServer) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}/api/stories/approve`, { method: 'POST', headers, body: JSON.stringify(PLAN) })
    return { status: answer.status, text: await answer.text() }
  }
  const stories = async () => (await api.client.list(STORIES, { namespace: api.namespace })).items
  const tasks = async () => (await api.client.list(TASKS, { namespace: api.namespace })).items
  const plans = (): string[] => readdirSync(join(api.volumeRoot, 'plans'))
  const isMarked = async () => (await stories()).some(({ metadata }) => metadata.annotations?.['slipway.dev/approving'])
  const isSettled = async () => plans().length === 0 && !(await isMarked())

  /** One more than an approval takes: story, status, delivery, branch, three tasks, status, mark. */
  for (let writes = 0; writes <= 9; writes++) {
    it(`is finished by the next one, or nothing is left of it, after ${writes} writes`, async () => {
      const { client, isDead } = dyingAfter(api.client, writes)
      await api.server.stop()
      const first = await start(client)
      const asked = approveAt(first)
      if (writes >= 3) {
        await Promise.race([nextDelivery(api), asked.then(({ text }) => assert.fail(`no delivery: ${text}`))])
        // The server may hear of the end, and answer, before the one who wrote it hears that it is written.
        await endDelivery(api)
      }
      const { status } = await asked
      assert.equal(status === 201, !isDead())
      await first.stop()

      const next = await start()
      if (writes > 0 && writes < 3) await endDelivery(api)
      await until('it is settled', isSettled)
      const [left, made] = [await stories(), await tasks()]
      assert.deepEqual([left.length, made.length], writes === 0 ? [0, 0] : [1, 3])
      if (writes === 0) return
      const id = left[0]?.metadata.name ?? ''
      const shown = (await (await fetch(`${next.url}/api/stories/${id}`)).json()) as Record<string, unknown>
      assert.deepEqual(
        [shown['status'], shown['root_task_id'], shown['tasks']],
        ['BACKLOG', `${id}-t01`, { total: 3, done: 0 }],
      )
      assert.equal(left[0]?.metadata.annotations?.['slipway.dev/chain-end'], `${id}-t02`)
      assert.equal((await api.client.list(EXECUTIONS, { namespace: api.namespace })).items.length, 1)
    })
  }

  it('is undone by the next one when the branch is refused', async () => {
    const { client } = dyingAfter(api.client, 3)
    await api.server.stop()
    const first = await start(client)
    const asked = approveAt(first)
    await nextDelivery(api)
    await first.stop()
    assert.equal((await asked).status, 503)
    assert.equal(await isMarked(), true)
    await start()
    await endDelivery(api, REFUSED)
    await until('nothing is left', async () => (await stories()).length === 0 && plans().length === 0)
    assert.deepEqual(await tasks(), [])
  })

  it('is taken back as a whole when a task is refused, and the branch that stays is named', async () => {
    const { client } = api
    const refusing: KubeClient = {
      ...dyingAfter(client, 1000).client,
      create: (resource, object, ...more) =>
        resource.kind === 'Task' && object.metadata.name.endsWith('-t02')
          ? Promise.reject(new KubeError(403, 'Forbidden', 'exceeded quota'))
          : client.create(resource, object, ...more),
    }
    await api.server.stop()
    const { url } = await start(refusing)
    const headers = { 'Content-Type': 'application/json' }
    const asked = fetch(`${url}/api/stories/approve`, { method: 'POST', headers, body: JSON.stringify(PLAN) })
    await endDelivery(api)
    const answer = await asked
    const because =
      'nothing was approved: exceeded quota; the branch story/checkout in project site stays on its remote'
    assert.deepEqual([answer.status, await answer.json()], [409, { error: because }])
    assert.deepEqual([await stories(), await tasks(), plans()], [[], [], []])
  })

  it('is shown as it is, with an Event, when its plan is lost; what somebody else wrote there is swept up', async () => {
    await api.server.stop()
    mkdirSync(join(api.volumeRoot, 'plans'), { recursive: true })
    writeFileSync(join(api.volumeRoot, 'plans', 'story-odd.json'), '{"half')
    const { uid: _, ...metadata } = aStory({ name: 'lost' }).metadata
    const annotations = { 'slipway.dev/approving': 'gone@2026-01-01T00:00:00Z' }
    await api.client.create(STORIES, {
      ...aStory({ name: 'lost' }),
      metadata: { ...metadata, namespace: api.namespace, annotations },
    })
    const { url } = await start()
    await until('it is shown', async () => (await fetch(`${url}/api/stories/lost`)).status === 200)
    await until('an Event says so', async () => {
      const { items } = await api.client.list(EVENTS, { namespace: api.namespace })
      return items.some(({ reason, involvedObject }) => reason === 'ApprovalLost' && involvedObject.name === 'lost')
    })
    await until('the file is gone', () => plans().length === 0)
  })
})

describe('an approval that is under way at a live server', () => {
  it('is left alone by another one, which does not show the story either', async () => {
    const api = await startRig({ embedded: false })
    const other = await startApiServer(api.options)
    try {
      await api.post('/api/projects', { id: 'site', name: 'Site', remote_url: 'https://git.example/site.git' })
      const asked = api.post('/api/stories/approve', PLAN)
      const { metadata } = await nextDelivery(api)
      const seen = (await (await fetch(`${other.url}/api/stories`)).json()) as object[]
      assert.deepEqual(seen, [])
      const [story] = (await api.client.list(STORIES, { namespace: api.namespace })).items
      const mark = story?.metadata.annotations?.['slipway.dev/approving']
      await endDelivery(api)
      const { status, body } = await asked
      assert.equal(status, 201)
      assert.equal(metadata.name, `deliver-${textAt(body, 'story.id')}`)
      assert.equal(mark?.split('@').length, 2)
      await until('the other shows it', async () => {
        const answer = await fetch(`${other.url}/api/stories`)
        return idsOf((await answer.json()) as never).includes(at(body, 'story.id'))
      })
    } finally {
      await other.stop()
      await api.stop()
    }
  })
})
