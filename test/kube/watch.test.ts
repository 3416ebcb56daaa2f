import assert from 'node:assert/strict'
import { CONFIG_MAPS } from '../../kube/resources.ts'
import { type WatchEvent, KubeError, isExpired } from '../../kube/types.ts'
import { StreamCut } from '../../kube/watch.ts'
import { type FakeApi, GONE, bookmark, configMap, event, startFakeApi, status, watch } from './fake-api.ts'

describe('a watch', () => {
  let api: FakeApi
  beforeEach(async () => {
    api = await startFakeApi()
  })
  afterEach(() => api.close())

  const open = (signal = new AbortController().signal) =>
    api.client.watch(CONFIG_MAPS, { namespace: 'ns', resourceVersion: '5', timeoutSeconds: 300 }, signal)
  const collect = async () => {
    const events: WatchEvent<object>[] = []
    for await (const one of open()) events.push(one)
    return events
  }

  it('gives changes and bookmarks until the server ends it', async () => {
    api.answer(watch([event('ADDED', configMap('ä', '6')), bookmark('9')], 'end'))
    assert.deepEqual(await collect(), [
      { type: 'ADDED', object: configMap('ä', '6') },
      { type: 'BOOKMARK', resourceVersion: '9' },
    ])
    const { query } = api.requests[0] ?? assert.fail()
    assert.deepEqual(Object.fromEntries(query), {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '5',
      timeoutSeconds: '300',
    })
  })

  it('throws Expired for a 410 as event', async () => {
    api.answer(watch([event('ERROR', GONE)], 'end'))
    await assert.rejects(collect(), (error) => isExpired(error) && error.status === 410)
  })

  it('throws Expired for a 410 as HTTP status', async () => {
    api.answer(status(410, 'Expired', 'too old'))
    await assert.rejects(collect(), (error) => isExpired(error))
  })

  it('throws the KubeError of any other ERROR event', async () => {
    api.answer(watch([event('ERROR', { ...GONE, code: 500, reason: 'InternalError' })], 'end'))
    await assert.rejects(collect(), (error) => error instanceof KubeError && error.reason === 'InternalError')
  })

  it('throws when the connection is cut in the middle of an event', async () => {
    api.answer(watch([event('ADDED', configMap('a', '6')), '{"type":"MODI'], 'cut'))
    const events = open()[Symbol.asyncIterator]()
    assert.equal((await events.next()).done, false)
    await assert.rejects(events.next())
  })

  it('throws when the body ends properly in the middle of an event', async () => {
    api.answer(watch([event('ADDED', configMap('a', '6')), '{"type":"MODI'], 'end'))
    await assert.rejects(collect(), StreamCut)
  })

  it('skips an event type that it does not know', async () => {
    api.answer(watch([event('NOVEL', {}), bookmark('7')], 'end'))
    assert.deepEqual(await collect(), [{ type: 'BOOKMARK', resourceVersion: '7' }])
  })

  it('ends quietly when its signal aborts', async () => {
    const controller = new AbortController()
    api.answer(watch([event('ADDED', configMap('a', '6'))], 'hang'))
    let count = 0
    for await (const _ of open(controller.signal)) {
      count += 1
      controller.abort()
    }
    assert.equal(count, 1)
  })
})
