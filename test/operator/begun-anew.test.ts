import assert from 'node:assert/strict'
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution } from '../../core/crd/types.ts'
import type { Given } from '../../core/execution/given.ts'
import { clonePath, executionPath, givenFile } from '../../core/execution/layout.ts'
import { say } from '../../core/execution/say.ts'
import { AGENTS, EXECUTIONS, PODS } from '../../kube/resources.ts'
import { anAgent, aPod } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

describe('work that its agent does anew, because it was lost with its clone', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {} } }))
    const spec = { agent: { type: 'claude' } }
    world.given({ spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
  })
  afterEach(() => world.close())

  const find = (name = 'task-a-1'): Execution => {
    const found = world.kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === name)
    assert.ok(found)
    return found
  }
  const tell = async (id: string): Promise<void> => {
    const execution = find(world.task().status?.execution)
    const agent = world.kube.all(AGENTS)[0]
    const outcome = say({ task: world.task(), execution, agent }, { id, by: 'ada', at: world.clock.now(), text: id })
    assert.ok(outcome.kind === 'allowed', JSON.stringify(outcome))
    await world.kube.replaceStatus(EXECUTIONS, { ...execution, status: outcome.status })
  }
  const lose = async (job: string, step = 'agent'): Promise<void> => {
    const terminated = { exitCode: 137, reason: 'Error', startedAt: '2026-01-01T00:00:00Z' }
    const ended = { name: step, state: { terminated }, ready: false, restartCount: 0, image: '', imageID: '' }
    world.kube.put(PODS, aPod({ job, status: { phase: 'Failed', initContainerStatuses: [ended] } }))
    await world.sync()
  }
  const loseClone = (): Promise<void> => rm(join(world.volumeRoot, 'sandboxes'), { recursive: true, force: true })

  const makeClone = async (): Promise<void> =>
    void (await mkdir(join(world.volumeRoot, clonePath('task-a'), '.git'), { recursive: true }))

  /** The operator that makes the Job is killed, and the Job has made its clone before the next one looks. */
  const killAfter = async (job: string, change: () => Promise<void>): Promise<void> => {
    const write = `create Job ${job}`
    world.kube.onWrite = (moment, done) => {
      if (moment === 'after' && done === write) throw new Error('killed')
    }
    await assert.rejects(change(), /killed/)
    world.kube.onWrite = () => undefined
    await makeClone()
    await world.sync()
  }

  it('takes messages again, and is not delivered half done', async () => {
    await world.endJob('task-a-1-run', { outcome: {}, result: 'none' })
    await loseClone()
    await lose('task-a-1-run')
    const { keepClone, deliverOnly } = runSpecOf(world.job('task-a-1-run-2'))
    assert.deepEqual([keepClone, deliverOnly, find().status?.agentOutcome], [false, false, undefined])
    await tell('message1')
    await world.endJob('task-a-1-run-2', { result: 'none' })
    await lose('task-a-1-run-2')
    assert.equal(runSpecOf(world.job('task-a-2-run')).deliverOnly, false)
  })

  it('does so where a resume was to deliver alone, and lost its clone before it began', async () => {
    const failed = { outcome: 'failed', error: { category: 'git', message: 'refused' } } as const
    await world.endJob('task-a-1-run', { outcome: {}, result: failed })
    await world.sync()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-2-run')).deliverOnly, true)
    await world.endJob('task-a-2-run', { result: 'none' })
    await loseClone()
    await lose('task-a-2-run', 'prepare')
    assert.equal(runSpecOf(world.job('task-a-2-run-2')).deliverOnly, false)
    assert.equal(find('task-a-2').status?.agentOutcome, undefined)
    await tell('message1')
  })

  it('is known for that though the operator was killed before it wrote it', async () => {
    await world.endJob('task-a-1-run', { outcome: {}, result: 'none' })
    await loseClone()
    await killAfter('task-a-1-run-2', () => lose('task-a-1-run'))
    const { jobs, roundSince, agentOutcome } = find().status ?? {}
    assert.deepEqual([jobs, roundSince, agentOutcome], [2, 2, undefined])
    await tell('message1')
    await lose('task-a-1-run-2', 'prepare')
    assert.equal(runSpecOf(world.job('task-a-1-run-3')).deliverOnly, false)
  })

  it('is known for that in the first Job of a resume too', async () => {
    const failed = { outcome: 'failed', error: { category: 'git', message: 'refused' } } as const
    await world.endJob('task-a-1-run', { outcome: {}, result: failed })
    await world.sync()
    await loseClone()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await killAfter('task-a-2-run', () => world.sync())
    assert.deepEqual([find('task-a-2').status?.jobs, find('task-a-2').status?.agentOutcome], [1, undefined])
    await lose('task-a-2-run', 'prepare')
    assert.equal(runSpecOf(world.job('task-a-2-run-2')).deliverOnly, false)
  })

  it('goes on in no session of the agent whose clone is gone, in none of its Jobs nor after them', async () => {
    const sessions = (...jobs: string[]) => jobs.map((job) => runSpecOf(world.job(job)).agent.sessionId)
    await world.endJob('task-a-1-run', { outcome: { sessionId: 'gone', summary: 'All done.' }, result: 'none' })
    // As a round of checks records it.
    world.kube.put(EXECUTIONS, { ...find(), status: { ...find().status, sessionId: 'gone' } })
    await loseClone()
    await lose('task-a-1-run')
    await makeClone()
    await lose('task-a-1-run-2', 'prepare')
    assert.equal(runSpecOf(world.job('task-a-1-run-3')).keepClone, true)
    await lose('task-a-1-run-3')
    assert.deepEqual([find().status?.error?.category, find().status?.summary], ['lost', undefined])
    assert.deepEqual(sessions('task-a-1-run-2', 'task-a-1-run-3', 'task-a-2-run'), [undefined, undefined, undefined])
  })

  it('goes on in no session that a resume was to take up, but in one of its own', async () => {
    const session = (job: string) => runSpecOf(world.job(job)).agent.sessionId
    const failed = { outcome: 'failed', sessionId: 'gone', error: { category: 'git', message: 'refused' } } as const
    await world.endJob('task-a-1-run', { outcome: { sessionId: 'gone' }, result: failed })
    await world.sync()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(session('task-a-2-run'), 'gone')
    await loseClone()
    await lose('task-a-2-run', 'prepare')
    await makeClone()
    await lose('task-a-2-run-2', 'prepare')
    assert.deepEqual([session('task-a-2-run-2'), session('task-a-2-run-3')], [undefined, undefined])
    const refused = { outcome: 'failed', error: { category: 'auth', message: 'log in' } } as const
    await world.endJob('task-a-2-run-3', { outcome: { ...refused, sessionId: 'own' }, result: 'none' })
    await world.sync()
    assert.equal(session('task-a-2-run-4'), 'own')
  })

  describe('is told again what people said to the agents before', () => {
    const promptsOf = async (job: string): Promise<Given> => {
      const { execution, given = '' } = runSpecOf(world.job(job))
      const path = join(world.volumeRoot, executionPath(execution), givenFile(given))
      return JSON.parse(await readFile(path, 'utf8')) as Given
    }
    const giveMessage = async (id: string): Promise<void> => {
      await tell(id)
      const path = join(world.volumeRoot, executionPath(world.task().status?.execution ?? ''), 'agent')
      await mkdir(path, { recursive: true })
      const receipt = { id, state: 'given', at: world.clock.now().toISOString() }
      await appendFile(join(path, 'receipts.jsonl'), `${JSON.stringify(receipt)}\n`)
    }
    const HEADING = '## Messages sent earlier to whoever worked on this; they hold for you too'
    /** The ids in order. */
    const saidIn = (prompt = ''): readonly string[] => {
      const [, said = ''] = prompt.split(HEADING)
      return [...said.matchAll(/, message (\w+):/g)].map(([, id = '']) => id)
    }

    it('in the same execution, of a message given in the last moment too, until a session knows it', async () => {
      assert.deepEqual(saidIn((await promptsOf('task-a-1-run')).prompt), [])
      await giveMessage('message1')
      await world.sync()
      await giveMessage('message2')
      await world.endJob('task-a-1-run', { outcome: {}, result: 'none' })
      await loseClone()
      await lose('task-a-1-run')
      const { prompt, resume } = await promptsOf('task-a-1-run-2')
      assert.deepEqual([saidIn(prompt), saidIn(resume)], [['message1', 'message2'], []])
      await giveMessage('message3')
      await makeClone()
      await lose('task-a-1-run-2', 'prepare')
      const third = await promptsOf('task-a-1-run-3')
      assert.deepEqual(saidIn(third.prompt), ['message1', 'message2', 'message3'])
    })

    it('in the executions that a resume goes on from', async () => {
      await giveMessage('message1')
      await world.sync()
      const failed = { outcome: 'failed', error: { category: 'git', message: 'refused' } } as const
      await world.endJob('task-a-1-run', { outcome: {}, result: failed })
      await world.sync()
      for (const n of [2, 3]) {
        world.annotate('task-a', { 'slipway.dev/action': 'resume' })
        await world.sync()
        if (n === 2) await world.endJob('task-a-2-run', { outcome: {}, result: failed })
        await world.sync()
      }
      await loseClone()
      await lose('task-a-3-run', 'prepare')
      assert.deepEqual(saidIn((await promptsOf('task-a-3-run-2')).prompt), ['message1'])
    })

    it('but not in a run from the start, which is told what its task wants', async () => {
      await giveMessage('message1')
      await world.endJob('task-a-1-run', { result: { outcome: 'failed', pushed: false } })
      await world.sync()
      world.annotate('task-a', { 'slipway.dev/action': 'run' })
      await world.sync()
      assert.deepEqual(saidIn((await promptsOf('task-a-2-run')).prompt), [])
    })
  })
})
