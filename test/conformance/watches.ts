import assert from 'node:assert/strict'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { type Watch, at, textAt } from '../helpers/kube-http.ts'
import { type Rig, aConfigMap, CORE, given, MERGE, WIDGETS } from './rig.ts'

/** Watches: from a version, with selectors, bookmarks, time-outs and versions that are too old; wire.md B4. */
export function describeWatches(rig: () => Rig): void {
  const maps = (): string => CORE(rig().namespace, 'configmaps')
  const send = (...args: Parameters<Rig['http']['send']>) => rig().http.send(...args)

  async function watching(query: string, use: (watch: Watch) => Promise<void>): Promise<void> {
    const watch = await rig().http.watch(`${maps()}?watch=true&${query}`)
    try {
      await use(watch)
    } finally {
      watch.close()
    }
  }

  function told(event: JsonObject | undefined): unknown[] {
    return [event?.['type'], at(event, 'object.metadata.name')]
  }

  async function version(): Promise<string> {
    return textAt((await send('GET', maps())).body, 'metadata.resourceVersion')
  }

  it('tell every change after the version, in order', async () => {
    const from = await version()
    await watching(`resourceVersion=${from}&labelSelector=watch%3Dorder`, async (watch) => {
      await given(rig(), maps(), aConfigMap('watched', { labels: { watch: 'order' } }))
      await send('PATCH', `${maps()}/watched`, { data: { a: '1' } }, MERGE)
      await send('DELETE', `${maps()}/watched`)
      assert.deepEqual(told(await watch.next()), ['ADDED', 'watched'])
      assert.deepEqual(told(await watch.next()), ['MODIFIED', 'watched'])
      assert.deepEqual(told(await watch.next()), ['DELETED', 'watched'])
    })
  })

  it('tell what happened before they were opened', async () => {
    const from = await version()
    await given(rig(), maps(), aConfigMap('earlier', { labels: { watch: 'earlier' } }))
    await watching(`resourceVersion=${from}&labelSelector=watch%3Dearlier`, async (watch) => {
      assert.deepEqual(told(await watch.next()), ['ADDED', 'earlier'])
    })
  })

  it('begin with all that exists when no version is given', async () => {
    await given(rig(), maps(), aConfigMap('existing', { labels: { watch: 'existing' } }))
    await watching('labelSelector=watch%3Dexisting', async (watch) => {
      assert.deepEqual(told(await watch.next()), ['ADDED', 'existing'])
    })
  })

  it('with a selector tell entering as ADDED and leaving as DELETED with the old labels', async () => {
    await given(rig(), maps(), aConfigMap('mover'))
    const from = await version()
    await watching(`resourceVersion=${from}&labelSelector=watch%3Din`, async (watch) => {
      await send('PATCH', `${maps()}/mover`, { metadata: { labels: { watch: 'in' } } }, MERGE)
      await send('PATCH', `${maps()}/mover`, { metadata: { labels: { watch: 'out' } } }, MERGE)
      assert.deepEqual(told(await watch.next()), ['ADDED', 'mover'])
      const left = await watch.next()
      assert.deepEqual([...told(left), at(left, 'object.metadata.labels.watch')], ['DELETED', 'mover', 'in'])
    })
  })

  it('by name tell of that object only', async () => {
    const from = await version()
    await watching(`resourceVersion=${from}&fieldSelector=metadata.name%3Donly`, async (watch) => {
      await given(rig(), maps(), aConfigMap('other-one'))
      await given(rig(), maps(), aConfigMap('only'))
      assert.deepEqual(told(await watch.next()), ['ADDED', 'only'])
    })
  })

  it('end after timeoutSeconds, with a bookmark before when asked', async () => {
    const from = await version()
    const query = `resourceVersion=${from}&labelSelector=watch%3Dnothing&timeoutSeconds=1`
    await watching(query, async (watch) => assert.equal(await watch.next(), undefined))
    await watching(`${query}&allowWatchBookmarks=true`, async (watch) => {
      const events: unknown[] = []
      for (let event = await watch.next(); event !== undefined; event = await watch.next()) events.push(event['type'])
      assert.deepEqual(
        [...new Set(events)].filter((type) => type !== 'BOOKMARK'),
        [],
      )
    })
  })

  it('from a version that is too old get one ERROR event with 410 Expired', async () => {
    const watch = await rig().http.watch(`${WIDGETS(rig().namespace)}?watch=true&resourceVersion=1`)
    const event = await watch.next()
    assert.deepEqual([event?.['type'], at(event, 'object.code'), at(event, 'object.reason')], ['ERROR', 410, 'Expired'])
    assert.match(textAt(event, 'object.message'), /^too old resource version: 1 \(\d+\)$/)
    assert.equal(await watch.next(), undefined)
  })

  it('with sendInitialEvents mark the end of what existed', async () => {
    await given(rig(), maps(), aConfigMap('initial', { labels: { watch: 'initial' } }))
    const query =
      'labelSelector=watch%3Dinitial&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    await watching(query, async (watch) => {
      assert.deepEqual(told(await watch.next()), ['ADDED', 'initial'])
      const mark = await watch.next()
      const annotations = at(mark, 'object.metadata.annotations')
      assert.deepEqual([mark?.['type'], annotations], ['BOOKMARK', { 'k8s.io/initial-events-end': 'true' }])
    })
  })
}
