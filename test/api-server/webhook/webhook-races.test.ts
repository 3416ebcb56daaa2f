// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiClient } from '../../../kube/client.ts'
import { TASKS } from '../../../kube/resources.ts'
import type { KubeObject } from '../../../kube/types.ts'
import { aProject } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type Answer, type Rig, startRig } from '../rig.ts'

const FIXTURE = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'webhooks', 'check_run.json')
const SHOP = aProject({ name: 'shop', spec: { remoteUrl: 'git@github.com:acme/shop.git' } })

/** What somebody else does just before the API server's next writes of a task, or just after its create was refused. */
interface Others {
  beforeReplace: (name: string) => Promise<void>
  afterRefusedCreate: (name: string) => Promise<void>
}

const nothing = (): Promise<void> => Promise.resolve()

describe('the webhook, when others are at the same task', () => {
  let api: Rig
  const others: Others = { beforeReplace: nothing, afterRefusedCreate: nothing }
  before(async () => {
    api = await startRig({}, ({ client }) => Promise.resolve(withOthers(client, others)))
    await api.givenProject(SHOP)
  })
  afterEach(() => Object.assign(others, { beforeReplace: nothing, afterRefusedCreate: nothing }))
  after(() => api.stop())

  const deliver = (commit: string, id: number): Promise<Answer> => {
    const event: { check_run: object } = JSON.parse(readFileSync(FIXTURE, 'utf8'))
    return api.post('/api/webhooks/vcshost', {
      ...event,
      // A branch for each commit, so that the tasks of other tests do not count for this one.
      check_run: {
        ...event.check_run,
        head_sha: commit.repeat(40),
        check_suite: { head_branch: commit },
        id,
        name: `check ${id}`,
      },
    })
  }
  const idOf = ({ body }: Answer): string => textAt(body, 'task_id')
  const key = (name: string) => ({ namespace: api.namespace, name })
  /** Makes it leave slowly: it stays until `release`. */
  const deleteSlowly = async (name: string): Promise<void> => {
    const task = await api.client.get(TASKS, key(name))
    await api.client.replace(TASKS, {
      ...task,
      metadata: { ...task.metadata, finalizers: ['slipway.dev/test'] },
    })
    assert.equal((await api.delete(`/api/tasks/${name}`)).status, 204)
  }
  const release = async (name: string): Promise<void> => {
    const task = await api.client.get(TASKS, key(name))
    await api.client.replace(TASKS, { ...task, metadata: { ...task.metadata, finalizers: [] } })
  }

  it('never tells the sender of a lost race: it appends after fifteen lost in a row', async () => {
    const first = await deliver('a', 1)
    let races = 15
    others.beforeReplace = async (name) => {
      if (races-- <= 0) return
      const task = await api.client.get(TASKS, key(name))
      await api.client.replace(TASKS, { ...task, spec: { ...task.spec, priority: races } })
    }
    const second = await deliver('a', 2)
    assert.deepEqual([second.status, second.body], [200, first.body])
    assert.match(textAt((await api.get(`/api/tasks/${idOf(first)}`)).body, 'description'), /A further failure: check 2/)
  })

  it('makes a new task when the one that it would append to is deleted meanwhile', async () => {
    const first = await deliver('b', 1)
    others.beforeReplace = async (name) => {
      others.beforeReplace = nothing
      await api.client.delete(TASKS, key(name))
    }
    const second = await deliver('b', 2)
    assert.equal(second.status, 201)
    const { body } = await api.get(`/api/tasks/${idOf(second)}`)
    assert.match(textAt(body, 'description'), /check 2/)
    assert.ok(!textAt(body, 'description').includes('check 1'))
    assert.equal(idOf(first).slice(0, -2), idOf(second).slice(0, -2))
  })

  it('answers 201 once for a commit whose task is on its way out, and the same task to all others', async () => {
    const name = idOf(await deliver('c', 1))
    await deleteSlowly(name)
    others.afterRefusedCreate = async (refused) => {
      others.afterRefusedCreate = nothing
      await release(refused)
    }
    const answers = await Promise.all([2, 2, 3].map((id) => deliver('c', id)))
    assert.deepEqual(answers.map(({ status }) => String(status)).sort(), ['200', '200', '201'])
    assert.deepEqual(
      answers.map(idOf),
      answers.map(() => name),
    )
  })

  it('takes the next name when the task on its way out does not go', async () => {
    const name = idOf(await deliver('d', 1))
    await deleteSlowly(name)
    const answer = await deliver('d', 1)
    assert.deepEqual([answer.status, idOf(answer)], [201, name.replace(/-1$/, '-2')])
    assert.equal(at((await api.get(`/api/tasks/${idOf(answer)}`)).body, 'state'), 'PENDING')
    await release(name)
  })
})

/** The same client, with others at work around its writes. */
function withOthers(client: ApiClient, others: Others): ApiClient {
  return {
    ...client,
    async create<T extends KubeObject>(...args: Parameters<typeof client.create<T>>) {
      try {
        return await client.create(...args)
      } catch (error) {
        if (args[0].plural === TASKS.plural) await others.afterRefusedCreate(args[1].metadata.name)
        throw error
      }
    },
    async replace<T extends KubeObject>(...args: Parameters<typeof client.replace<T>>) {
      // The server replaces a Lease of its own too, at any time.
      if (args[0].plural === TASKS.plural) await others.beforeReplace(args[1].metadata.name)
      return client.replace(...args)
    },
    close: () => Promise.resolve(),
  }
}
