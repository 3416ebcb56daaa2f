import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EVENTS, LEASES, TASKS } from '../../../kube/resources.ts'
import { median } from '../../../bench/figure.ts'
import type { RunningOperator } from '../../../operator/main.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'
import { until } from '../../helpers/until.ts'
import { type VolumeRig, namesOf, openVolumeRig } from './volume-rig.ts'

/** More than a controller has workers. */
const HUNG = namesOf('hung', 20)
const OTHERS = namesOf('other', 20)

describe('a data volume that does not answer for some tasks', function () {
  let clock: ManualClock
  let rig: VolumeRig
  let operator: RunningOperator
  let folder: string
  let answer: () => void
  beforeEach(async () => {
    clock = manualClock()
    rig = await openVolumeRig(clock)
    folder = await mkdtemp(join(tmpdir(), 'slipway-fifo-'))
    operator = await rig.startOperator({ leaderElection: true })
    await rig.createAgent('slow', HUNG.length)
    await rig.createAgent('fast', 4)
  })
  afterEach(async () => {
    answer()
    await rig.end()
    await rm(folder, { recursive: true, force: true })
  })

  /** Of all executions of HUNG; the first one's work holds a thread of the pool, as a stuck disk does. */
  const hang = (): void => {
    const fifo = join(folder, 'fifo')
    execFileSync('mkfifo', [fifo])
    let [isReading, hasAnswered] = [false, false]
    const answered = new Promise<void>((resolve) => {
      answer = () => {
        // Who opens it for writing lets the reader go on; there may be none.
        if (isReading && !hasAnswered) closeSync(openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK))
        hasAnswered = true
        resolve()
      }
    })
    const readForEver = async (): Promise<void> => {
      isReading = true
      const file = await open(fifo, 'r')
      await file.close()
    }
    rig.delay(({ path }) => {
      if (hasAnswered || !path.startsWith('executions/hung-')) return undefined
      return path === 'executions/hung-1-1' && !isReading ? readForEver() : answered
    })
  }
  const reach = (names: readonly string[], state: string): Promise<void> =>
    until(`${names.length} tasks are ${state}`, async () =>
      (await Promise.all(names.map(rig.state))).every((found) => found === state),
    )
  const annotate = (name: string, action: string): Promise<unknown> =>
    rig.client.mergePatch(
      TASKS,
      { namespace: rig.namespace, name },
      { metadata: { annotations: { 'slipway.dev/action': action } } },
    )
  const dispatch = async (prefix: string): Promise<number> => {
    const times: number[] = []
    for (const name of namesOf(prefix, 4)) {
      times.push(await rig.dispatchMs(name, 'fast'))
      await rig.endPod(name)
      await reach([name], 'READY')
    }
    return median(times)
  }

  it('holds up no other: they start, end, are accepted and cancelled, and these go on when it answers', async () => {
    const before = await dispatch('before')
    for (const name of HUNG) await rig.createTask(name, 'slow')
    for (const name of HUNG) await rig.runs(name)
    hang()
    for (const name of HUNG) await rig.endPod(name)
    const during = await dispatch('during')
    console.log(`      task → Job: ${before.toFixed(0)} ms, ${during.toFixed(0)} ms while ${HUNG.length} tasks hang`)

    for (const name of OTHERS) await rig.createTask(name, 'fast')
    for (const name of OTHERS.slice(-5)) await annotate(name, 'cancel')
    await reach(OTHERS.slice(-5), 'CANCELLED')
    for (const name of OTHERS.slice(0, -5)) await rig.endPod(name)
    await reach(OTHERS.slice(0, -5), 'READY')
    await annotate('other-1', 'accept')
    await reach(['other-1'], 'COMPLETED')
    await reach(HUNG, 'RUNNING')

    await clock.advance(60_000)
    // What is just being done for the others takes as long by this clock, until it is done.
    await until('only these stall', () => rig.stalled() === HUNG.length)
    await until('each of them says so', async () => {
      const { items } = await rig.client.list(EVENTS, { namespace: rig.namespace })
      const told = items.filter(({ reason }) => reason === 'VolumeNotAnswering')
      return new Set(told.map(({ involvedObject }) => involvedObject.name)).size === HUNG.length
    })
    answer()
    await reach(HUNG, 'READY')
    assert.equal(rig.stalled(), 0)
  })

  it('keeps nobody from taking over: leadership is given back, and what is answered late changes nothing', async () => {
    await rig.createTask('hung-1', 'slow')
    await rig.runs('hung-1')
    hang()
    await rig.endPod('hung-1')
    await until('it is looked at', () => clock.pending() > 0)
    await operator.stop()
    const lease = await rig.client.get(LEASES, { namespace: rig.namespace, name: 'slipway-operator' })
    assert.equal(lease.spec?.holderIdentity, '')
    const { resourceVersion } = (await rig.task('hung-1')).metadata
    answer()
    await until('the late answer has been dropped', () => clock.pending() === 0)
    assert.equal((await rig.task('hung-1')).metadata.resourceVersion, resourceVersion)
    await rig.startOperator()
    await reach(['hung-1'], 'READY')
  })
})
