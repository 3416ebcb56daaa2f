import assert from 'node:assert/strict'
import type { ConfigMap } from '../../kube/builtin.ts'
import { type Controller, type ControllerOptions, createController } from '../../kube/controller.ts'
import { KubeError } from '../../kube/types.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'
import { configMap } from './fake-api.ts'
import { handFedInformer } from './hand-fed-informer.ts'

describe('a controller', () => {
  let clock: ManualClock
  let stop: AbortController
  let reconciled: string[]
  let running: Promise<void>
  let feed: ReturnType<typeof handFedInformer>
  let log: ReturnType<typeof recordingLogger>

  beforeEach(() => {
    clock = manualClock()
    stop = new AbortController()
    reconciled = []
    feed = handFedInformer()
    log = recordingLogger()
    running = Promise.resolve()
  })
  afterEach(async () => {
    stop.abort()
    await running
  })

  const make = (options: Partial<ControllerOptions<ConfigMap>> = {}): Controller =>
    createController({
      name: 'test',
      primary: feed.informer,
      clock,
      random: () => 0,
      logger: log.logger,
      reconcile: ({ name }) => {
        reconciled.push(name)
        return Promise.resolve()
      },
      ...options,
    })
  const run = (controller: Controller, abort?: AbortSignal): void => {
    running = controller.run(stop.signal, abort)
  }

  it('reconciles once what changed, and looks at it again when it changes', async () => {
    run(make())
    feed.put(configMap('a', '1'))
    feed.put(configMap('b', '2'))
    await until('both', () => reconciled.length === 2)
    feed.put(configMap('a', '3'))
    await until('a again', () => reconciled.length === 3)
    await clock.advance(60_000)
    assert.deepEqual(reconciled, ['a', 'b', 'a'])
  })

  it('does not begin before every watched informer is synced', async () => {
    let sync: (value: boolean) => void = () => undefined
    const other = handFedInformer(new Promise((resolve) => (sync = resolve)))
    const controller = make()
    controller.watch(other.informer, () => [])
    run(controller)
    feed.put(configMap('a', '1'))
    await clock.advance(1000)
    assert.deepEqual(reconciled, [])
    sync(true)
    await until('it begins', () => reconciled.length === 1)
  })

  it('does not begin before every cache that it only reads is synced', async () => {
    let sync: (value: boolean) => void = () => undefined
    const synced = new Promise<boolean>((resolve) => (sync = resolve))
    run(make({ reads: [{ synced }] }))
    feed.put(configMap('a', '1'))
    await clock.advance(1000)
    assert.deepEqual(reconciled, [])
    sync(true)
    await until('it begins', () => reconciled.length === 1)
  })

  it('reconciles what a change of another kind concerns, for the old and the new object', async () => {
    const other = handFedInformer()
    const controller = make()
    controller.watch(other.informer, ({ data }) => [{ namespace: 'ns', name: `owner-${data?.['version']}` }])
    run(controller)
    other.put(configMap('x', '1'))
    other.put(configMap('x', '2'))
    await until('both owners', () => reconciled.includes('owner-2'))
    assert.deepEqual([...new Set(reconciled)], ['owner-1', 'owner-2'])
  })

  it('reconciles what both sides of a change say together, and what else enqueues keys until it has stopped', async () => {
    const other = handFedInformer()
    let enqueue: (name: string) => void = () => undefined
    let ended = false
    const controller = make()
    controller.watchChanges(other.informer, (change) =>
      change.type === 'update' ? [{ namespace: 'ns', name: `from-${change.previous.data?.['version']}` }] : [],
    )
    controller.follow((add) => {
      enqueue = (name) => add({ namespace: 'ns', name })
      return () => void (ended = true)
    })
    run(controller)
    other.put(configMap('x', '1'))
    other.put(configMap('x', '2'))
    enqueue('else')
    await until('both', () => reconciled.length === 2)
    assert.deepEqual(reconciled.toSorted(), ['else', 'from-1'])
    stop.abort()
    await running
    other.put(configMap('x', '3'))
    assert.ok(ended)
  })

  it('looks at patient keys after all others', async () => {
    const controller = make({ workers: 1, isPatient: ({ name }) => name.startsWith('late') })
    for (const name of ['late-a', 'late-b', 'c']) controller.enqueue({ namespace: 'ns', name })
    run(controller)
    await until('all', () => reconciled.length === 3)
    assert.deepEqual(reconciled, ['c', 'late-a', 'late-b'])
  })

  it('tries a failed reconcile again with growing waits, and logs it', async () => {
    let attempts = 0
    run(
      make({ backoff: { baseMs: 100, maxMs: 60_000 }, reconcile: () => Promise.reject(new Error(`no ${++attempts}`)) }),
    )
    feed.put(configMap('a', '1'))
    await clock.advance(0)
    await clock.advance(49)
    assert.equal(attempts, 1)
    await clock.advance(1)
    assert.equal(attempts, 2)
    await clock.advance(99)
    assert.equal(attempts, 2)
    await clock.advance(1)
    assert.equal(attempts, 3)
    assert.equal(log.lines[0]?.['key'], 'ns/a')
  })

  it('goes on within three seconds of the return of an API server that was away, and says little meanwhile', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    let failure: Error | undefined = refused
    let attempts = 0
    const reconcile = () => {
      attempts += 1
      return failure === undefined ? Promise.resolve() : Promise.reject(failure)
    }
    run(make({ random: () => 0.999, reconcile }))
    feed.put(configMap('a', '1'))
    await clock.advance(0)
    await clock.advance(60_000)
    assert.deepEqual(
      log.lines.filter(({ level }) => Number(level) >= 50).map(({ msg }) => msg),
      ['reconcile failed, trying again'],
    )
    // What failed while it was away does not make the first failure behind it a late one.
    const before = attempts
    failure = new Error('of the object itself')
    await clock.advance(3_000)
    assert.ok(attempts > before)
    failure = undefined
    const failed = attempts
    await clock.advance(1_000)
    assert.ok(attempts > failed)
  })

  it('tells of a failure which key it was and why', async () => {
    const failures: string[] = []
    const onFailure: ControllerOptions<ConfigMap>['onFailure'] = ({ name }, error) =>
      void failures.push(`${name}: ${String(error)}`)
    run(make({ onFailure, reconcile: () => Promise.reject(new KubeError(403, 'Forbidden', 'not yours')) }))
    feed.put(configMap('a', '1'))
    await clock.advance(0)
    assert.deepEqual(failures, ['a: KubeError: not yours'])
  })

  it('repeats a lost compare-and-swap soon and without a word', async () => {
    const outcomes: string[] = []
    let attempts = 0
    const reconcile = (): Promise<void> =>
      ++attempts === 1 ? Promise.reject(new KubeError(409, 'Conflict', 'modified')) : Promise.resolve()
    run(make({ reconcile, observe: () => ({ reconciled: (outcome) => void outcomes.push(outcome) }) }))
    feed.put(configMap('a', '1'))
    await clock.advance(0)
    await clock.advance(100)
    assert.deepEqual([outcomes, log.lines], [['conflict', 'done'], []])
  })

  it('looks again at the time that the reconcile asks for', async () => {
    const at = new Date(clock.now().getTime() + 30_000)
    run(
      make({
        reconcile: ({ name }) => {
          reconciled.push(name)
          return Promise.resolve(reconciled.length === 1 ? { requeueAt: at } : {})
        },
      }),
    )
    feed.put(configMap('a', '1'))
    await clock.advance(29_999)
    assert.equal(reconciled.length, 1)
    await clock.advance(1)
    assert.equal(reconciled.length, 2)
  })

  it('looks at everything again after the resync period', async () => {
    run(make({ resyncMs: 1000 }))
    feed.put(configMap('a', '1'))
    await clock.advance(0)
    await clock.advance(3000)
    assert.deepEqual(reconciled, ['a', 'a', 'a', 'a'])
  })

  it('never runs two reconciles of one key at once, and different keys side by side', async () => {
    let atOnce = 0
    let most = 0
    const busy = new Set<string>()
    run(
      make({
        workers: 2,
        async reconcile({ name }) {
          assert.ok(!busy.has(name))
          busy.add(name)
          most = Math.max(most, ++atOnce)
          await new Promise<void>((resolve) => clock.schedule(10, resolve))
          atOnce -= 1
          busy.delete(name)
          reconciled.push(name)
        },
      }),
    )
    feed.put(configMap('a', '1'))
    await clock.advance(0)
    feed.put(configMap('a', '2'))
    feed.put(configMap('b', '3'))
    await clock.advance(100)
    assert.deepEqual([most, reconciled], [2, ['a', 'b', 'a']])
  })

  it('when stopped waits for the running reconcile and begins no other', async () => {
    let finish: () => void = () => undefined
    let ended = false
    const controller = make({
      workers: 1,
      reconcile({ name }) {
        reconciled.push(name)
        return new Promise<void>((resolve) => (finish = resolve))
      },
    })
    running = controller.run(stop.signal).then(() => void (ended = true))
    feed.put(configMap('a', '1'))
    feed.put(configMap('b', '2'))
    await until('it runs', () => reconciled.length === 1)
    stop.abort()
    await clock.advance(10)
    assert.equal(ended, false)
    finish()
    await running
    assert.deepEqual(reconciled, ['a'])
  })

  for (const cause of ['leadership is lost', 'a stop takes longer than its grace'] as const) {
    it(`aborts the running reconcile when ${cause}`, async () => {
      const abort = new AbortController()
      const controller = make({
        stopGraceMs: 5000,
        reconcile: ({ name }, signal) => {
          reconciled.push(name)
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut off'))))
        },
      })
      run(controller, abort.signal)
      feed.put(configMap('a', '1'))
      await until('it runs', () => reconciled.length === 1)
      if (cause === 'leadership is lost') abort.abort()
      else {
        stop.abort()
        await clock.advance(5000)
      }
      await running
      assert.deepEqual(log.lines, [])
    })
  }
})
