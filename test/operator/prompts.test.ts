import assert from 'node:assert/strict'
import type { AgentSpec, TaskStatus } from '../../core/crd/types.ts'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import { aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, readGiven } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }

describe('an agent with templates of its own', () => {
  let world: World
  beforeEach(async () => {
    const opened = await openWorld()
    const installation = { ...opened.context.installation, isolation: 'sandbox' } as const
    world = { ...opened, context: { ...opened.context, installation } }
    Object.assign(opened.context, { installation })
  })
  afterEach(() => world.close())

  const given = async (prompts: NonNullable<AgentSpec['prompts']>): Promise<void> => {
    const spec = { agent: { type: 'claude' }, description: 'x'.repeat(2000) }
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {}, prompts } }))
    world.kube.put(TASKS, aTask({ spec, status: QUEUED }))
    await syncAgent(world.context, { namespace: NAMESPACE, name: 'claude' })
    await world.sync()
  }
  const conditions = () =>
    world.kube.all(AGENTS)[0]?.status?.conditions?.map(({ type, reason, message }) => [type, reason, message])

  it('is told by them', async () => {
    await given({ task: 'Do {{task.title}} as {{agent.name}}.' })
    assert.equal((await readGiven(world, 'task-a-1')).prompt, 'Do A task as claude.\n')
    assert.deepEqual(conditions(), [['Ready', 'AcceptsWork', 'accepts work']])
  })

  it('is Stalled by one that cannot be used, and is told nothing in its place', async () => {
    await given({ resume: 'Go on.\n{{#story}}' })
    const message = 'agent claude: prompts.resume, line 2: Unclosed section "story"'
    assert.deepEqual(conditions(), [['Stalled', 'BadPrompt', message]])
    assert.deepEqual(world.task().status?.error, { category: 'unavailable', message })
    assert.equal(world.job('task-a-1-run'), undefined)
  })

  it('is told nothing longer than an agent reads', async () => {
    await given({ task: '{{> task}}'.repeat(3200) })
    const message = 'agent claude: prompts.task: the text is too long, more than any agent reads'
    assert.deepEqual(world.task().status?.error, { category: 'unavailable', message })
  })
})
