import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { executionPath, inboxFile } from '../../core/execution/layout.ts'
import { say } from '../../core/execution/say.ts'
import { AGENTS, EXECUTIONS, JOBS, PODS } from '../../kube/resources.ts'
import type { OperatorContext } from '../../operator/context.ts'
import { createInboxes } from '../../operator/inbox.ts'
import { SHORT_WAIT_MS } from '../../operator/short-waits.ts'
import { syncTask } from '../../operator/task/sync.ts'
import type { VolumePiece } from '../../operator/volume-work.ts'
import { anAgent, aPod, NAMESPACE } from '../helpers/build.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { until } from '../helpers/until.ts'
import { type World, openWorld, readGiven } from './world.ts'

describe('a message to a running agent while the data volume does not answer for its execution', () => {
  let world: World
  let waits: ManualClock
  let context: OperatorContext
  let hangs: (piece: VolumePiece) => boolean
  let hung: VolumePiece[]
  let answers: (() => void)[]
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {} } }))
    world.given({ spec: { agent: { type: 'claude' } }, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
    waits = manualClock()
    hung = []
    answers = []
    hangs = () => false
    const onVolume: OperatorContext['onVolume'] = async (piece, work) => {
      if (!hangs(piece)) return world.context.onVolume(piece, work)
      hung.push(piece)
      await new Promise<void>((resolve) => answers.push(resolve))
      return world.context.onVolume(piece, work)
    }
    context = { ...world.context, inboxes: createInboxes(waits), onVolume }
    const [execution] = world.kube.all(EXECUTIONS)
    assert.ok(execution)
    const said = { id: 'message1', by: 'ada', at: world.clock.now(), text: 'Use tabs.' }
    const outcome = say({ task: world.task(), execution, agent: world.kube.all(AGENTS)[0] }, said)
    assert.ok(outcome.kind === 'allowed')
    await world.kube.replaceStatus(EXECUTIONS, { ...execution, status: outcome.status })
  })
  afterEach(() => world.close())

  /** Lets the operator look once; what hangs costs a second of the clock of its own. */
  const look = async (): Promise<void> => {
    let hasEnded = false
    const looking = syncTask(context, { namespace: NAMESPACE, name: 'task-a' }).finally(() => (hasEnded = true))
    await until('the look has ended', async () => {
      if (hung.length > 0 && waits.pending() > 0) await waits.advance(SHORT_WAIT_MS)
      return hasEnded
    })
    await looking
  }
  const answer = async (): Promise<void> => {
    hangs = () => false
    for (const next of answers.splice(0)) next()
    await until(
      'what hung has ended',
      () => !context.inboxes.looks.isUnderWay('task-a-1') && !context.inboxes.writes.isUnderWay('task-a-1'),
    )
  }
  const runPod = (): void => {
    const [startedAt, finishedAt] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z']
    const base = { ready: false, restartCount: 0, image: '', imageID: '' }
    const initContainerStatuses = [
      { ...base, name: 'prepare', state: { terminated: { exitCode: 0, startedAt, finishedAt } } },
      { ...base, name: 'agent', state: { running: { startedAt: finishedAt } } },
    ]
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Running', initContainerStatuses } }))
  }
  const phases = () => world.execution('task-a-1')?.phases?.map(({ name }) => name)
  const told = () =>
    world.execution('task-a-1')?.messages?.map(({ deliveredAt, uncertain }) => [deliveredAt, uncertain])
  const isInInbox = (): boolean => existsSync(join(world.volumeRoot, executionPath('task-a-1'), inboxFile('message1')))

  for (const kind of ['read', 'write'] as const)
    it(`holds up neither what is recorded of its run nor a cancel, and is asked for once (${kind})`, async () => {
      hangs = (piece) => piece.kind === kind && piece.path.startsWith(executionPath('task-a-1'))
      await look()
      runPod()
      await look()
      assert.deepEqual(phases(), ['prepare', 'agent'])
      world.annotate('task-a', { 'slipway.dev/action': 'cancel' })
      await look()
      await look()
      assert.equal(
        world.kube.all(JOBS).some(({ metadata }) => metadata.deletionTimestamp === undefined),
        false,
      )
      assert.equal(hung.length, 1)
      await answer()
    })

  it('is in the inbox once the volume answers again', async () => {
    for (const kind of ['read', 'write'] as const) {
      hangs = (piece) => piece.kind === kind && piece.path.startsWith(executionPath('task-a-1'))
      await look()
      assert.equal(isInInbox(), false)
      await answer()
    }
    await look()
    assert.equal(isInInbox(), true)
    assert.equal(hung.length, 2)
  })

  it('is uncertain when the run ends meanwhile, and told at the next start', async () => {
    hangs = ({ path }) => path.startsWith(executionPath('task-a-1'))
    await look()
    // Its pod never comes.
    await world.clock.advance(11 * 60_000)
    await look()
    assert.equal(world.execution('task-a-1')?.state, 'FAILED')
    assert.deepEqual(told(), [[undefined, true]])
    await answer()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.match((await readGiven(world, 'task-a-2')).prompt ?? '', /you may have seen it already[^]*Use tabs\./)
  })
})
