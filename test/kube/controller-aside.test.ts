import assert from 'node:assert/strict'
import { type Reconcile, createController } from '../../kube/controller.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'
import { configMap } from './fake-api.ts'
import { handFedInformer } from './hand-fed-informer.ts'

const STEP_ASIDE_MS = 1000

describe('a reconcile that waits for what does not answer', () => {
  let clock: ManualClock
  let stop: AbortController
  let lost: AbortController
  let feed: ReturnType<typeof handFedInformer>
  let log: ReturnType<typeof recordingLogger>
  let begun: string[]
  let ended: string[]
  let answers: Map<string, () => void>
  let failures: Map<string, (error: Error) => void>
  let outcomes: string[]
  let running: Promise<void>

  beforeEach(() => {
    clock = manualClock()
    stop = new AbortController()
    lost = new AbortController()
    feed = handFedInformer()
    log = recordingLogger()
    begun = []
    ended = []
    answers = new Map()
    failures = new Map()
    outcomes = []
  })
  afterEach(async () => {
    lost.abort()
    await running
  })

  /** Those whose name begins with `hung` wait until the test answers; `torn` fails at once while one of its waits goes on. */
  const reconcile: Reconcile = async ({ name }, _, stepAside) => {
    begun.push(name)
    if (name === 'torn' && begun.length === 1) {
      const waiting = stepAside(new Promise<void>((resolve) => answers.set(name, resolve)), STEP_ASIDE_MS)
      await Promise.all([waiting, Promise.reject(new Error('EIO'))])
    }
    if (name.startsWith('hung')) {
      const answer = new Promise<void>((resolve, reject) => {
        answers.set(name, resolve)
        failures.set(name, reject)
      })
      await stepAside(answer, STEP_ASIDE_MS)
    }
    ended.push(name)
  }
  const run = (maxAside = 256): void => {
    const options = { name: 'test', primary: feed.informer, clock, random: () => 0, logger: log.logger }
    const observe = () => ({ reconciled: (outcome: string) => void outcomes.push(outcome) })
    const controller = createController({ ...options, workers: 1, maxAside, reconcile, observe })
    running = controller.run(stop.signal, lost.signal)
  }

  it('gives its worker to other keys when it has waited as long as it may', async () => {
    run()
    feed.put(configMap('hung', '1'))
    feed.put(configMap('other', '1'))
    await clock.advance(STEP_ASIDE_MS - 1)
    assert.deepEqual(begun, ['hung'])
    await clock.advance(1)
    assert.deepEqual([begun, ended], [['hung', 'other'], ['other']])
  })

  it('keeps its key, which is looked at again only behind it, and its end counts', async () => {
    run()
    feed.put(configMap('hung', '1'))
    await clock.advance(STEP_ASIDE_MS)
    feed.put(configMap('hung', '2'))
    feed.put(configMap('other', '1'))
    await clock.advance(60_000)
    assert.deepEqual([begun, outcomes], [['hung', 'other'], ['done']])
    answers.get('hung')?.()
    await until('it is looked at again', () => begun.length === 3)
    assert.deepEqual(
      [begun, ended, outcomes],
      [
        ['hung', 'other', 'hung'],
        ['other', 'hung'],
        ['done', 'done'],
      ],
    )
  })

  it('is tried again when what it waits for fails at last', async () => {
    run()
    feed.put(configMap('hung', '1'))
    await clock.advance(STEP_ASIDE_MS)
    failures.get('hung')?.(new Error('EIO'))
    await clock.advance(60_000)
    assert.deepEqual([begun, outcomes], [['hung', 'hung'], ['failed']])
  })

  it('holds its worker where as many as may have stepped aside', async () => {
    run(2)
    for (const name of ['hung-a', 'hung-b', 'hung-c', 'other']) feed.put(configMap(name, '1'))
    await clock.advance(60_000)
    assert.deepEqual(begun, ['hung-a', 'hung-b', 'hung-c'])
    answers.get('hung-c')?.()
    await until('the worker is free', () => ended.includes('other'))
  })

  it('takes no place of those that have stepped aside once it has failed, though a wait of it goes on', async () => {
    run(1)
    feed.put(configMap('torn', '1'))
    await clock.advance(STEP_ASIDE_MS)
    feed.put(configMap('hung', '1'))
    feed.put(configMap('other', '1'))
    await clock.advance(STEP_ASIDE_MS)
    assert.ok(ended.includes('other'), begun.join(', '))
  })

  it('does not go on when leadership is lost meanwhile, however late the answer comes', async () => {
    run()
    feed.put(configMap('hung', '1'))
    await clock.advance(STEP_ASIDE_MS)
    lost.abort(new Error('another leads'))
    await running
    answers.get('hung')?.()
    await clock.advance(60_000)
    assert.deepEqual([begun, ended, log.lines], [['hung'], [], []])
  })

  it('does not keep a stop from its end longer than the grace', async () => {
    run()
    feed.put(configMap('hung', '1'))
    await clock.advance(STEP_ASIDE_MS)
    let hasStopped = false
    void running.then(() => (hasStopped = true))
    stop.abort()
    await clock.advance(9_999)
    assert.equal(hasStopped, false)
    await clock.advance(1)
    await running
    assert.deepEqual(ended, [])
  })
})
