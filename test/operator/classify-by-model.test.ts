import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution, ExecutionStatus } from '../../core/crd/types.ts'
import { executionPath } from '../../core/execution/layout.ts'
import { AGENTS, EXECUTIONS, TASKS } from '../../kube/resources.ts'
import { anAgent, aTask } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf, syncOnce } from './world.ts'

describe('the operator and a classifier', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    const classifier = { judges: true, judgeModel: 'haiku' }
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {}, classifier } }))
    world.kube.put(
      AGENTS,
      anAgent({ name: 'gemini', spec: { adapter: 'gemini', credentials: {}, classifier: { hint: 'small changes' } } }),
    )
    const queuedAt = '2026-01-01T00:00:00Z'
    world.kube.put(TASKS, aTask({ spec: { title: 'Rename it', agent: {} }, status: { state: 'QUEUED', queuedAt } }))
  })
  afterEach(() => world.close())

  const sync = () => syncOnce(world.context, 'task-a')
  const question = (): Execution => {
    const found = world.kube.all(EXECUTIONS).find(({ spec }) => spec.purpose === 'Classify')
    assert.ok(found)
    return found
  }
  async function end(status: ExecutionStatus, answer?: object): Promise<void> {
    const { name } = question().metadata
    const folder = join(world.volumeRoot, executionPath(name), 'agent')
    await mkdir(folder, { recursive: true })
    if (answer !== undefined) await writeFile(join(folder, 'answer.json'), JSON.stringify(answer))
    world.kube.put(EXECUTIONS, { ...question(), status: { finishedAt: '2026-01-01T00:00:01Z', ...status } })
    await sync()
  }
  const chosen = () => {
    const { state, agent, classification } = world.task().status ?? {}
    return { state, type: agent?.type, by: agent?.chosenBy, isAsking: classification !== undefined }
  }

  it('asks its cheap model without a repository, and says what the task waits for', async () => {
    await sync()
    const { spec, metadata } = question()
    assert.deepEqual(
      [spec.agent, spec.model, spec.timeout, spec.taskRef],
      ['claude', 'haiku', '10s', { name: 'task-a' }],
    )
    const prompt = await readFile(join(world.volumeRoot, executionPath(metadata.name), 'prompt.md'), 'utf8')
    assert.match(prompt, /- gemini: 0 tasks before this one; small changes[^]*Rename it/)
    const waiting = world.context.scheduling.formatWaitMessage(world.task(), world.clock.now())
    assert.equal(waiting, 'agent claude is asked which agent suits the task')
    assert.deepEqual([world.task().status?.waitingFor, chosen().isAsking], [waiting, true])
    await world.syncQuery(metadata.name)
    assert.equal(runSpecOf(world.job(`${metadata.name}-run`)).repositoryUrl, '')
  })

  it('starts the task with the agent that it names', async () => {
    await sync()
    await end({ state: 'COMPLETED', answer: 'Usable' }, { agent: 'gemini', reason: 'It is small.' })
    assert.deepEqual(chosen(), { state: 'RUNNING', type: 'gemini', by: 'Model', isAsking: false })
    assert.match(world.task().status?.agent?.reason ?? '', /It is small/)
  })

  it('starts the task by the rules when the question fails, the answer is none, or names a script', async () => {
    const wrong = [undefined, { agent: 'script', reason: 'x' }, { nothing: true }]
    for (const answer of wrong) {
      await sync()
      await end({ state: 'COMPLETED', answer: 'Usable' }, answer)
      assert.deepEqual(chosen(), { state: 'RUNNING', type: 'claude', by: 'Rules', isAsking: false })
      await world.close()
      world = await openWorld({ allowUnsandboxed: true })
      world.kube.put(
        AGENTS,
        anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {}, classifier: { judges: true } } }),
      )
      world.kube.put(AGENTS, anAgent({ name: 'gemini', spec: { adapter: 'gemini', credentials: {} } }))
      world.kube.put(AGENTS, anAgent())
      world.kube.put(
        TASKS,
        aTask({ spec: { agent: {} }, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }),
      )
    }
  })

  it('starts the task by the rules after ten seconds, and stops who still thinks', async () => {
    await world.clock.advance(900)
    await sync()
    await world.clock.advance(9900)
    await sync()
    assert.equal(chosen().state, 'QUEUED')
    await world.clock.advance(100)
    await sync()
    assert.deepEqual([chosen().state, chosen().by], ['RUNNING', 'Rules'])
    assert.match(world.task().status?.agent?.reason ?? '', /agent claude gave no answer within 10 s/)
    assert.ok(question().status?.cancelRequestedAt !== undefined)
  })

  it('asks nobody about a task whose agent is named, or where there is no classifier', async () => {
    world.kube.put(
      TASKS,
      aTask({
        name: 'named',
        spec: { agent: { type: 'gemini' } },
        status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' },
      }),
    )
    await syncOnce(world.context, 'named')
    assert.deepEqual(
      world.kube.all(EXECUTIONS).map(({ spec }) => spec.purpose),
      ['Run'],
    )
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {} } }))
    await sync()
    assert.deepEqual(
      world.kube.all(EXECUTIONS).map(({ spec }) => spec.purpose),
      ['Run', 'Run'],
    )
  })
})
