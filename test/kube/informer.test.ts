import assert from 'node:assert/strict'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { ConfigMap } from '../../kube/builtin.ts'
import type { Change } from '../../kube/cache.ts'
import { type Informer, type InformerOptions, createInformer, withoutManagedFields } from '../../kube/informer.ts'
import { CONFIG_MAPS } from '../../kube/resources.ts'
import { KubeError } from '../../kube/types.ts'
import { manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'
import { type FakeApi, GONE, bookmark, configMap, event, list, startFakeApi, status, watch } from './fake-api.ts'

/** Longer than any wait that these tests look at. */
const STALL_MS = 60_000
const A = { namespace: 'ns', name: 'a' }

describe('an informer', () => {
  let api: FakeApi
  let stop: AbortController
  let running: Promise<void> | undefined
  let changes: Change<ConfigMap>[]

  beforeEach(async () => {
    api = await startFakeApi()
    stop = new AbortController()
    changes = []
  })
  afterEach(async () => {
    stop.abort()
    await running
    await api.close()
  })

  const start = (options: Partial<InformerOptions<ConfigMap>> = {}): Informer<ConfigMap> => {
    const informer = createInformer({
      client: api.client,
      resource: CONFIG_MAPS,
      namespace: 'ns',
      clock: systemClock,
      random: () => 0,
      logger: recordingLogger().logger,
      ...options,
    })
    informer.onChange((change) => void changes.push(change))
    running = informer.run(stop.signal)
    return informer
  }
  const told = () => changes.map((change) => `${change.type} ${nameOf(change)}`)
  const nameOf = (change: Change<ConfigMap>) =>
    change.type === 'delete' ? change.previous.metadata.name : change.object.metadata.name
  const requestsFor = (kind: 'list' | 'watch') =>
    api.requests.filter(({ query }) => (query.get('watch') === 'true') === (kind === 'watch'))

  it('lists in pages, then watches from the version of the list', async () => {
    api.answer(
      list('10', [configMap('a', '1')], 'next'),
      list('10', [configMap('b', '2')]),
      watch([event('MODIFIED', configMap('a', '11'))], 'hang'),
    )
    const informer = start({ pageSize: 1 })
    assert.equal(await informer.synced, true)
    await until('the change arrives', () => informer.get(A)?.metadata.resourceVersion === '11')
    assert.deepEqual(told(), ['add a', 'add b', 'update a'])
    assert.deepEqual(
      requestsFor('list').map(({ query }) => [query.get('limit'), query.get('continue')]),
      [
        ['1', null],
        ['1', 'next'],
      ],
    )
    assert.equal(requestsFor('watch')[0]?.query.get('resourceVersion'), '10')
    assert.ok(Number(requestsFor('watch')[0]?.query.get('timeoutSeconds')) > 0)
  })

  it('resumes from the last bookmark when the server ends the watch', async () => {
    api.answer(list('10', []), watch([bookmark('50')], 'end'), watch([], 'hang'))
    start()
    await until('the second watch', () => requestsFor('watch').length === 2)
    assert.equal(requestsFor('watch')[1]?.query.get('resourceVersion'), '50')
    assert.equal(requestsFor('list').length, 1)
  })

  it('resumes after the last whole event when the connection is cut in the middle of one', async () => {
    const pieces = [event('ADDED', configMap('a', '11')), '{"type":"ADDED","object":{"meta']
    api.answer(list('10', []), watch(pieces, 'cut'), watch([event('ADDED', configMap('b', '12'))], 'hang'))
    start()
    await until('both are told', () => changes.length === 2)
    assert.equal(requestsFor('watch')[1]?.query.get('resourceVersion'), '11')
    assert.deepEqual(told(), ['add a', 'add b'])
  })

  for (const [how, gone] of [
    ['an event', watch([event('ERROR', GONE)], 'end')],
    ['an HTTP status', status(410, 'Expired', 'too old')],
  ] as const) {
    it(`lists again after a 410 as ${how}, and tells what vanished meanwhile as deletes`, async () => {
      api.answer(
        list('10', [configMap('a', '1'), configMap('b', '2')]),
        gone,
        list('20', [configMap('b', '15'), configMap('c', '16')]),
        watch([], 'hang'),
      )
      const informer = start()
      await until('the second list is told', () => changes.length === 5)
      assert.deepEqual(told(), ['add a', 'add b', 'delete a', 'update b', 'add c'])
      assert.equal(informer.get(A), undefined)
      assert.equal(informer.lastError(), undefined)
    })
  }

  it('takes the 410 behind an outage for what it is: lists again at once, and tells of no second outage', async () => {
    const { logger, lines } = recordingLogger()
    const unavailable = status(500, 'InternalError', 'etcd is away')
    const gone = watch([event('ERROR', GONE)], 'end')
    const after = [list('20', [configMap('a', '15')]), watch([], 'hang')]
    api.answer(list('10', []), unavailable, unavailable, gone, ...after)
    const informer = start({ logger, backoff: { baseMs: 1, maxMs: 1 } })
    await until('the second list is told', () => changes.length === 1)
    assert.equal(informer.lastError(), undefined)
    const said = lines.map(({ msg }) => msg)
    assert.deepEqual(said, ['the API server cannot be watched, trying again', 'the API server is watched again'])
  })

  it('lists again after two in a row, as where the server’s cache begins anew between list and watch', async () => {
    const gone = () => watch([event('ERROR', GONE)], 'end')
    api.answer(list('10', []), gone(), list('20', []), gone(), list('30', []), watch([], 'hang'))
    const calm = start()
    await until('the third list is watched', () => requestsFor('watch').length === 3)
    assert.equal(calm.lastError(), undefined)
  })

  it('calls a third 410 in a row a failure', async () => {
    const gone = watch([event('ERROR', GONE)], 'end')
    api.answer(list('10', []), gone, list('20', []), gone, list('30', []), status(410, 'Expired', 'too old'))
    const informer = start()
    await until('it shows', () => String(informer.lastError()).includes('too old'))
  })

  it('starts the list anew when its continue token has expired', async () => {
    api.answer(
      list('10', [configMap('a', '1')], 'next'),
      status(410, 'Expired', 'the continue parameter is too old'),
      list('20', [configMap('a', '1')]),
      watch([], 'hang'),
    )
    assert.equal(await start().synced, true)
    await until('the watch', () => requestsFor('watch').length === 1)
    assert.equal(requestsFor('watch')[0]?.query.get('resourceVersion'), '20')
  })

  it('tries again after an error, and says meanwhile what is wrong', async () => {
    api.answer(status(403, 'Forbidden', 'configmaps is forbidden'))
    const informer = start({ backoff: { baseMs: 1, maxMs: 1 } })
    await until('the error shows', () => String(informer.lastError()).includes('configmaps is forbidden'))
    assert.equal(informer.isStale(new Date()), true)
    api.answer(list('10', [configMap('a', '1')]), watch([], 'hang'))
    assert.equal(await informer.synced, true)
    assert.equal(informer.isStale(new Date()), false)
    assert.equal(informer.lastError(), undefined)
  })

  it('notices within three seconds that a server is back, however long it was away', async () => {
    const clock = manualClock()
    let failure: Error | undefined = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    let asked = 0
    const client: InformerOptions<ConfigMap>['client'] = {
      list: async (...args) => {
        asked += 1
        if (failure !== undefined) throw failure
        return api.client.list(...args)
      },
      watch: api.client.watch,
    }
    // The longest wait each time.
    const informer = start({ clock, random: () => 0.999, client })
    await clock.advance(30_000)
    assert.ok(asked >= 10, `asked ${asked} times`)
    // As it starts it may answer with an error first; what was before does not count against it.
    failure = new KubeError(403, 'Forbidden', 'no roles yet')
    const before = asked
    await clock.advance(3_000)
    assert.ok(asked > before)
    failure = undefined
    api.answer(list('10', [configMap('a', '1')]), watch([], 'hang'))
    await clock.advance(2_000)
    await until('it is in step', () => informer.hasSynced())
  })

  it('ends a watch that has fallen silent and resumes from where it stood', async () => {
    const clock = manualClock()
    api.answer(
      list('10', []),
      watch([event('ADDED', configMap('b', '29')), bookmark('30')], 'hang'),
      list('30', []),
      watch([event('ADDED', configMap('a', '31'))], 'hang'),
    )
    const informer = start({ clock, stallAfterMs: STALL_MS })
    // Both come in one piece, and are heard in one turn.
    await until('the first watch has told all', () => informer.get({ ...A, name: 'b' }) !== undefined)
    await clock.advance(STALL_MS)
    await until('the second watch delivers', () => informer.get(A) !== undefined)
    assert.equal(requestsFor('watch')[1]?.query.get('resourceVersion'), '30')
    assert.equal(requestsFor('list')[1]?.query.get('limit'), '1')
  })

  it('lists again after silence when the server counts from a lower version than before', async () => {
    api.answer(
      list('1000', [configMap('a', '900'), configMap('b', '901')]),
      watch([], 'hang'),
      list('7', [configMap('a', '5')]),
      list('7', [configMap('a', '5')]),
      watch([], 'hang'),
    )
    const clock = manualClock()
    const informer = start({ clock, stallAfterMs: STALL_MS })
    await until('the watch is open', () => requestsFor('watch').length === 1)
    await clock.advance(STALL_MS)
    await until('the older world is taken over', () => informer.get(A)?.metadata.resourceVersion === '5')
    assert.equal(informer.list().length, 1)
  })

  it('does not ask in a hot loop when every watch ends at once', async () => {
    const { clock, waits } = hurriedClock()
    api.answer(list('10', []), watch([], 'end'))
    const informer = start({ clock, random: () => 0.99, stallAfterMs: STALL_MS })
    await until('eight watches', () => requestsFor('watch').length >= 8)
    assert.ok(Math.max(...waits.filter((ms) => ms < STALL_MS)) >= 16_000, 'waits grow')
    assert.match(String(informer.lastError()), /ended the watch at once/)
  })

  it('pauses before the next watch when the server ends each after a bookmark', async () => {
    const { clock, waits } = hurriedClock()
    api.answer(list('10', []), watch([bookmark('11')], 'end'))
    const informer = start({ clock, random: () => 0.5, stallAfterMs: STALL_MS })
    await until('four watches', () => requestsFor('watch').length >= 4)
    assert.ok(waits.filter((ms) => ms === 500).length >= 3)
    assert.equal(informer.lastError(), undefined)
  })

  it('hides what this process has deleted before the watch tells of it', async () => {
    const late = [event('MODIFIED', configMap('a', '11')), event('ADDED', configMap('b', '12'))]
    api.answer(list('10', [configMap('a', '1')]), watch(late, 'hang'))
    const informer = start()
    await informer.synced
    informer.observeDeleted(configMap('a', '1'))
    await until('the watch has told all', () => changes.length === 3)
    assert.equal(informer.get(A), undefined)
    assert.deepEqual(told(), ['add a', 'delete a', 'add b'])
  })

  it('stops when told to, before the first list too', async () => {
    api.answer(() => undefined)
    const informer = start()
    stop.abort()
    assert.equal(await informer.synced, false)
    await running
  })

  it('stops when a handler of its first list tells it to', async () => {
    api.answer(list('10', [configMap('a', '1')]), watch([], 'hang'))
    const informer = start()
    informer.onChange(() => stop.abort())
    await running
    assert.deepEqual(told(), ['add a'])
  })

  it('a handler that throws is logged and disturbs nobody', async () => {
    const { logger, lines } = recordingLogger()
    api.answer(list('10', [configMap('a', '1')]), watch([], 'hang'))
    const informer = createInformer({
      client: api.client,
      resource: CONFIG_MAPS,
      clock: systemClock,
      random: () => 0,
      logger,
    })
    informer.onChange(() => assert.fail('broken handler'))
    informer.onChange((change) => void changes.push(change))
    running = informer.run(stop.signal)
    await informer.synced
    assert.deepEqual(told(), ['add a'])
    assert.equal(lines[0]?.['msg'], 'informer handler failed')
  })

  it('tells a late handler of everything that is there', async () => {
    api.answer(list('10', [configMap('a', '1')]), watch([], 'hang'))
    const informer = start()
    await informer.synced
    const late: string[] = []
    informer.onChange((change) => void late.push(change.type))
    assert.deepEqual(late, ['add'])
  })

  it('keeps only what transform leaves', async () => {
    const { metadata, ...rest } = configMap('a', '1')
    const managed = { ...rest, metadata: { ...metadata, managedFields: [{ manager: 'x' }] } }
    api.answer(list('10', [managed]), watch([], 'hang'))
    const informer = start({ transform: withoutManagedFields })
    await informer.synced
    assert.deepEqual(informer.get(A), configMap('a', '1'))
  })

  it('with a selector leaves it to the server whether a new object belongs', async () => {
    api.answer(list('10', [configMap('a', '1')]), watch([], 'hang'))
    const informer = start({ labelSelector: 'x=y' })
    await informer.synced
    informer.observe(configMap('b', '11'))
    informer.observe(configMap('a', '12'))
    assert.deepEqual(
      informer.list().map(({ metadata }) => [metadata.name, metadata.resourceVersion]),
      [['a', '12']],
    )
  })

  it('that knows its selector takes a new object that belongs, and no other', async () => {
    api.answer(list('10', []), watch([], 'hang'))
    const informer = start({ labelSelector: 'x', isSelected: ({ metadata }) => metadata.name === 'a' })
    await informer.synced
    informer.observe(configMap('a', '11'))
    informer.observe(configMap('b', '12'))
    assert.deepEqual(
      informer.list().map(({ metadata }) => metadata.name),
      ['a'],
    )
  })
})

/** The system's clock, save that nobody has to wait: it notes how long they wanted to. */
function hurriedClock(): { readonly clock: Clock; readonly waits: readonly number[] } {
  const waits: number[] = []
  const schedule = (ms: number, callback: () => void): (() => void) => {
    waits.push(ms)
    return systemClock.schedule(ms >= STALL_MS ? ms : Math.min(ms, 2), callback)
  }
  return { clock: { now: systemClock.now, schedule }, waits }
}
