/** What people do seldom, so that every right of the parts is used by some test (without-spare-rights.test.ts). */
import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import {
  api,
  dig,
  GIT_SERVER,
  kubectl,
  kubectlJson,
  kubectlWith,
  makeProject,
  MINUTE,
  records,
  untilField,
} from './cluster.ts'

const REMOTE = `http://${GIT_SERVER}/sample.git`

/** Waits until somebody has taken an annotation away again, as who has acted on it does. */
async function untilTaken(object: string): Promise<void> {
  const isTaken = async () => !(await kubectl('get', object, '-o', 'yaml')).includes('slipway.dev/action:')
  await until(`the annotation of ${object} is taken`, isTaken, MINUTE)
}

/** Two servers answer in turn, and each hears of what the other has written a moment later (docs/operate/install.md). */
async function untilRefused(read: () => Promise<unknown>, words: RegExp): Promise<void> {
  const isRefused = async () => {
    try {
      await read()
      return false
    } catch (error) {
      assert.ok(error instanceof Error)
      assert.match(error.message, words)
      return true
    }
  }
  await until(`a read is refused with ${String(words)}`, isRefused, MINUTE)
}

describe('what is done seldom', () => {
  before(async () => makeProject('seldom', { remote_url: REMOTE }))

  it('is to edit and delete an epic, whose state the operator writes', async () => {
    await api.createEpic({ body: { id: 'seldom', name: 'Seldom' } })
    await kubectl('wait', 'epics.slipway.dev/seldom', '--for=condition=Ready', '--timeout=30s')
    await api.updateEpic({ params: { id: 'seldom' }, body: { name: 'Never' } })
    await until(
      'the new name is shown',
      async () => (await api.getEpic({ params: { id: 'seldom' } })).name === 'Never',
      MINUTE,
    )
    await api.deleteEpic({ params: { id: 'seldom' } })
    await untilRefused(() => api.getEpic({ params: { id: 'seldom' } }), /epic not found/)
  })

  it('is to edit and delete a project, an agent, a task and a story', async () => {
    await api.createProject({ body: { id: 'brief', name: 'brief', remote_url: REMOTE } })
    await api.updateProject({ params: { id: 'brief' }, body: { name: 'briefer' } })
    await api.deleteProject({ params: { id: 'brief' } })
    await untilRefused(() => api.getProject({ params: { id: 'brief' } }), /project not found/)
    await api.createAgent({ body: { id: 'brief', adapter: 'script' } })
    await api.updateAgent({ params: { id: 'brief' }, body: { max_concurrent: 2 } })
    await api.deleteAgent({ params: { id: 'brief' } })
    await untilRefused(() => api.getAgent({ params: { id: 'brief' } }), /agent not found/)
    await api.createTask({ body: { id: 'brief', name: 'brief', project: 'seldom' } })
    await api.updateTask({ params: { id: 'brief' }, body: { name: 'briefer' } })
    await api.deleteTask({ params: { id: 'brief' } })
    await untilRefused(() => api.getTask({ params: { id: 'brief' } }), /task not found/)
    await api.createStory({ body: { id: 'brief', name: 'brief', project_id: 'seldom' } })
    await api.updateStory({ params: { id: 'brief' }, body: { name: 'briefer' } })
    await api.deleteStory({ params: { id: 'brief' } })
    await untilRefused(() => api.getExecution({ params: { id: 'brief-1' } }), /execution not found/)
  })

  it('is to undrain an agent, over REST and by annotation', async () => {
    await api.createAgent({ body: { id: 'tired', adapter: 'script' } })
    const drained = { since: '2026-01-01T00:00:00Z', reason: 'three failures in a row' }
    const patch = JSON.stringify({ status: { drained } })
    const drain = () =>
      kubectl('patch', 'agents.slipway.dev/tired', '--subresource=status', '--type=merge', '-p', patch)
    const isDrained = async () =>
      dig(await kubectlJson('get', 'agents.slipway.dev/tired'), 'status', 'drained') !== undefined
    await drain()
    await api.undrainAgent({ params: { agent: 'tired' } })
    assert.equal(await isDrained(), false)
    await drain()
    await kubectl('annotate', 'agents.slipway.dev/tired', 'slipway.dev/action=undrain')
    await untilTaken('agents.slipway.dev/tired')
    assert.equal(await isDrained(), false)
    await api.deleteAgent({ params: { id: 'tired' } })
  })

  it('is to decide on a story by annotation', async () => {
    await api.createStory({ body: { id: 'seldom', name: 'Seldom', project_id: 'seldom' } })
    await kubectl('annotate', 'stories.slipway.dev/seldom', 'slipway.dev/action=move', 'slipway.dev/status=BACKLOG')
    await untilTaken('stories.slipway.dev/seldom')
    const isMoved = async () => (await api.getStory({ params: { id: 'seldom' } })).status === 'BACKLOG'
    await until('the story is shown where it was moved', isMoved, MINUTE)
  })

  it('is to ask for a delivery that nobody has approved, which is refused and goes after its time', async () => {
    const spec = {
      purpose: 'Deliver',
      storyRef: { name: 'seldom' },
      projectRef: { name: 'seldom' },
      repositoryUrl: REMOTE,
      ttlSecondsAfterFinished: 0,
      delivery: { kind: 'CreateBranch', branch: 'story/seldom' },
    }
    const execution = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Execution', metadata: { name: 'forged' }, spec }
    await kubectlWith(JSON.stringify(execution), 'create', '-f', '-')
    await kubectl('wait', 'executions.slipway.dev/forged', '--for=delete', '--timeout=60s')
  })

  it('is to give up an elaboration, whose pod then ends', async () => {
    const command = ['bash', '-c', 'sleep 600', 'claude']
    await api.createAgent({ body: { id: 'slow', adapter: 'claude', command, classifier: { enabled: false } } })
    const caller = new AbortController()
    const body = { prompt: 'Think', project: 'seldom' }
    const asked = api.elaborateTask({ query: { agent: 'slow' }, body }, { signal: caller.signal })
    const ending = assert.rejects(asked)
    const find = async () => {
      const { items } = await kubectlJson('get', 'executions.slipway.dev')
      return records(items).find((one) => dig(one, 'spec', 'agent') === 'slow')
    }
    await until('the elaboration has begun', async () => (await find()) !== undefined, MINUTE)
    const name = String(dig(await find(), 'metadata', 'name'))
    caller.abort()
    await ending
    await untilField(`executions.slipway.dev/${name}`, '.status.state', 'CANCELLED')
  })
})
