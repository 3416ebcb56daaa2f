import assert from 'node:assert/strict'
import type { ConfigMap } from '../../kube/builtin.ts'
import type { ApiClient } from '../../kube/client.ts'
import { CONFIG_MAPS, JOBS, PODS, TASKS } from '../../kube/resources.ts'
import {
  type Resource,
  type KubeObject,
  type WatchEvent,
  type WatchOptions,
  KubeError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isUndefinedKind,
  isUnreachable,
} from '../../kube/types.ts'
import { aTask } from '../helpers/build.ts'
import type { TestControlPlane } from '../helpers/control-plane.ts'

/** A control plane, and the way to it that is put to the test. */
export interface ClientRig {
  readonly controlPlane: TestControlPlane
  readonly client: ApiClient
}

/**
 * What our programs rely on in a client, whatever its way to the server: over HTTP, or to objects of its own process.
 *
 * @param forgotten a version from which the server can tell no changes any more
 */
export function describeClient(connect: () => Promise<ClientRig>, forgotten?: string): void {
  let rig: ClientRig
  let client: ApiClient
  let namespace: string
  before(async () => {
    rig = await connect()
    ;({ client } = rig)
    namespace = await rig.controlPlane.makeNamespace()
  })
  after(async () => {
    await client.close()
    await rig.controlPlane.stop()
  })

  const key = (name: string) => ({ namespace, name })
  const configMap = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels },
    data,
  })
  const task = (name: string) => ({ ...aTask({ name }), metadata: { name, namespace } })
  const statusOf = ({ status, reason, message }: KubeError) => ({ status, reason, message })

  describeErrors()
  describeWrites()
  describeReads()
  describeWatches()
  describePods()
  describeOutages()

  function describeErrors(): void {
    it('tells what does not exist from what has no kind', async () => {
      assert.equal(await client.find(CONFIG_MAPS, key('nobody')), undefined)
      assert.deepEqual(statusOf(await reject(client.get(CONFIG_MAPS, key('nobody')))), {
        status: 404,
        reason: 'NotFound',
        message: 'configmaps "nobody" not found',
      })
      const unknown: Resource<KubeObject> = { ...TASKS, plural: 'tusks', kind: 'Tusk' }
      for (const asked of [client.find(unknown, key('a')), client.list(unknown, { namespace })])
        assert.ok(isUndefinedKind(await reject(asked)))
    })

    it('says that a name is taken, that a version is old, and what the schema refuses', async () => {
      const made = await client.create(TASKS, task('taken'))
      assert.ok(isAlreadyExists(await reject(client.create(TASKS, task('taken')))))
      await client.mergePatch(TASKS, key('taken'), { spec: { title: 'another' } })
      const stale = await reject(client.replace(TASKS, made))
      assert.ok(isConflict(stale))
      assert.match(stale.message, /^Operation cannot be fulfilled on tasks\.slipway\.dev "taken": the object has been/)
      const invalid = await reject(client.mergePatch(TASKS, key('taken'), { spec: { title: 7 } }))
      assert.deepEqual([invalid.status, invalid.reason, isInvalid(invalid)], [422, 'Invalid', true])
      assert.match(invalid.message, /^Task\.slipway\.dev "taken" is invalid: .*spec\.title: Invalid value/)
    })

    it('refuses what is more than a request may hold', async () => {
      const huge = configMap('huge', { text: 'x'.repeat(3 * 1024 * 1024) })
      const refused = await reject(client.create(CONFIG_MAPS, huge))
      assert.deepEqual([refused.status, isInvalid(refused)], [413, true])
    })

    it('rejects with the reason of a signal that has aborted, and does nothing', async () => {
      const reason = new Error('not any more')
      const signal = AbortSignal.abort(reason)
      await assert.rejects(client.create(CONFIG_MAPS, configMap('never'), { signal }), reason)
      assert.equal(await client.find(CONFIG_MAPS, key('never')), undefined)
    })
  }

  function describeWrites(): void {
    it('stores what JSON says of an object, whatever its writer does to it later', async () => {
      const given = configMap('json', { kept: 'as it was' })
      Object.assign(given.data, { gone: undefined, at: new Date(0) })
      const made = await client.create(CONFIG_MAPS, given)
      Object.assign(given.data, { kept: 'changed' })
      const stored = { kept: 'as it was', at: '1970-01-01T00:00:00.000Z' }
      assert.deepEqual(made.data, stored)
      Reflect.set(made.data ?? {}, 'kept', 'changed')
      assert.deepEqual((await client.get(CONFIG_MAPS, key('json'))).data, stored)
    })

    it('makes up a name, and checks everything of a dry run that stores nothing', async () => {
      const { metadata } = await client.create(CONFIG_MAPS, {
        ...configMap(''),
        metadata: { name: '', generateName: 'made-', namespace },
      })
      assert.match(metadata.name, /^made-[a-z0-9]{5}$/)
      const dry = await client.create(TASKS, task('dry'), { dryRun: true })
      assert.equal(dry.metadata.resourceVersion ?? '', '')
      assert.equal(await client.find(TASKS, key('dry')), undefined)
      assert.ok(isInvalid(await reject(client.create(TASKS, { ...task('Dry!') }, { dryRun: true }))))
    })

    it('writes status and the rest apart', async () => {
      const made = await client.create(TASKS, task('two'))
      const withStatus = await client.replaceStatus(TASKS, {
        ...made,
        status: { ...made.status, state: 'QUEUED' },
      })
      assert.equal(withStatus.status?.state, 'QUEUED')
      const renamed = await client.replace(TASKS, { ...withStatus, status: { state: 'READY' } })
      assert.equal(renamed.status?.state, 'QUEUED')
      const patched = await client.mergePatch(
        TASKS,
        key('two'),
        { status: { state: 'RUNNING' } },
        { subresource: 'status' },
      )
      assert.equal(patched.status?.state, 'RUNNING')
    })

    it('removes by a patch what is null', async () => {
      await client.create(CONFIG_MAPS, configMap('patched', { a: '1', b: '2' }))
      const { data } = await client.mergePatch(CONFIG_MAPS, key('patched'), { data: { a: null, c: '3' } })
      assert.deepEqual(data, { b: '2', c: '3' })
    })

    it('deletes what is as it was said to be, and keeps it for its finalizers', async () => {
      const held = { ...configMap('held'), metadata: { name: 'held', namespace, finalizers: ['slipway.dev/test'] } }
      const { metadata } = await client.create(CONFIG_MAPS, held)
      const remove = (uid: string | undefined) =>
        client.delete(CONFIG_MAPS, key('held'), { preconditions: { uid: uid ?? '' } })
      assert.ok(isConflict(await reject(remove('00000000-0000-4000-8000-000000000000'))))
      await remove(metadata.uid)
      assert.ok((await client.get(CONFIG_MAPS, key('held'))).metadata.deletionTimestamp)
      await client.mergePatch(CONFIG_MAPS, key('held'), { metadata: { finalizers: null } })
      assert.equal(await client.find(CONFIG_MAPS, key('held')), undefined)
    })

    it('deletes a Job after what it owns where it is asked to', async () => {
      const template = {
        spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never', schedulerName: 'none' },
      }
      const metadata = { name: 'owner', namespace }
      await client.create(JOBS, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata,
        spec: { suspend: true, template },
      } as never)
      const watched = changes(JOBS, 'owner', (await client.list(JOBS, { namespace })).resourceVersion)
      await client.delete(JOBS, key('owner'), { propagationPolicy: 'Foreground' })
      for await (const { object } of watched)
        if (object.metadata.finalizers?.includes('foregroundDeletion') === true) break
    })
  }

  function describeReads(): void {
    it('lists what selectors name, page by page in one state', async () => {
      for (const name of ['l1', 'l2', 'l3']) await client.create(CONFIG_MAPS, configMap(name, {}, { set: 'listed' }))
      const query = { namespace, labelSelector: 'set=listed', limit: 2 }
      const first = await client.list(CONFIG_MAPS, query)
      await client.create(CONFIG_MAPS, configMap('l0', {}, { set: 'listed' }))
      const rest = await client.list(CONFIG_MAPS, { ...query, continue: first.continue ?? assert.fail('one page') })
      const names = [...first.items, ...rest.items].map(({ metadata }) => metadata.name)
      assert.deepEqual(
        [names, rest.resourceVersion, rest.continue],
        [['l1', 'l2', 'l3'], first.resourceVersion, undefined],
      )
      assert.deepEqual([...first.items].map(({ kind, apiVersion }) => [kind, apiVersion])[0], ['ConfigMap', 'v1'])
      const one = await client.list(CONFIG_MAPS, { namespace, fieldSelector: 'metadata.name=l2' })
      assert.deepEqual(
        one.items.map(({ metadata }) => metadata.name),
        ['l2'],
      )
      assert.equal((await reject(client.list(CONFIG_MAPS, { namespace, labelSelector: '!!' }))).status, 400)
    })
  }

  function describeWatches(): void {
    it('tells every change from a version on, and what leaves the selection as gone', async () => {
      const { resourceVersion } = await client.list(CONFIG_MAPS, { namespace })
      const watched = watch({ resourceVersion, labelSelector: 'set=watched' })
      await client.create(CONFIG_MAPS, configMap('w', { n: '1' }, { set: 'watched' }))
      await client.mergePatch(CONFIG_MAPS, key('w'), { data: { n: '2' } })
      await client.mergePatch(CONFIG_MAPS, key('w'), { metadata: { labels: { set: 'other' } } })
      const seen: string[] = []
      for await (const event of watched.events) {
        if (event.type === 'BOOKMARK') continue
        seen.push(`${event.type} ${event.object.data?.['n']}`)
        if (event.type === 'DELETED') break
      }
      assert.deepEqual(seen, ['ADDED 1', 'MODIFIED 2', 'DELETED 2'])
    })

    it('says that the watch is open before there is anything to tell, and ends quietly when aborted', async () => {
      const { resourceVersion } = await client.list(CONFIG_MAPS, { namespace })
      const over = new AbortController()
      const watched = watch({ resourceVersion, labelSelector: 'set=nobody' }, over.signal)
      const next = watched.events.next()
      await watched.opened
      over.abort(new Error('enough'))
      assert.equal((await next).done, true)
    })

    it('ends when the time is over that it was asked for', async () => {
      const { resourceVersion } = await client.list(CONFIG_MAPS, { namespace })
      const watched = watch({ resourceVersion, labelSelector: 'set=nobody', timeoutSeconds: 1 })
      for await (const event of watched.events) assert.equal(event.type, 'BOOKMARK')
    })

    if (forgotten !== undefined)
      it('refuses a version that is forgotten as Expired', async () => {
        const watched = watch({ resourceVersion: forgotten })
        assert.ok(isExpired(await reject(watched.events.next())))
      })
  }

  function describePods(): void {
    it('binds a pod once, and has no log of one without a node', async () => {
      const spec = {
        containers: [{ name: 'c', image: 'i' }],
        schedulerName: 'none',
        automountServiceAccountToken: false,
      }
      await client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace }, spec })
      const { signal } = new AbortController()
      const chunks: Uint8Array[] = []
      for await (const chunk of client.podLog(key('p'), {}, signal)) chunks.push(chunk)
      assert.deepEqual(chunks, [])
      const wrong = client.podLog(key('p'), { container: 'd' }, signal)
      assert.equal((await reject(wrong[Symbol.asyncIterator]().next())).status, 400)
      await client.bindPod(key('p'), 'nobody')
      assert.equal((await client.get(PODS, key('p'))).spec?.nodeName, 'nobody')
      const twice = await reject(client.bindPod(key('p'), 'another'))
      assert.ok(isConflict(twice))
      assert.match(twice.message, /already assigned to node "nobody"/)
    })
  }

  function describeOutages(): void {
    it('ends watches when the server stops, cannot reach it then, and goes on when it is back', async () => {
      const { resourceVersion } = await client.list(CONFIG_MAPS, { namespace })
      const watched = watch({ resourceVersion, labelSelector: 'set=nobody' })
      const ended = (async () => {
        for await (const event of watched.events) assert.equal(event.type, 'BOOKMARK')
      })().catch((error: unknown) => assert.ok(isUnreachable(error) || error instanceof TypeError))
      await watched.opened
      await rig.controlPlane.stopServer()
      await ended
      for (const ask of [
        () => client.get(CONFIG_MAPS, key('w')),
        () => client.list(CONFIG_MAPS),
        () => client.create(CONFIG_MAPS, configMap('away')),
        () => client.delete(CONFIG_MAPS, key('w')),
        () => watch({ resourceVersion }).events.next(),
      ])
        assert.ok(isUnreachable(await reject(ask())))
      await rig.controlPlane.startServer()
      assert.equal((await client.get(CONFIG_MAPS, key('w'))).metadata.name, 'w')
    })

    it('does nothing any more once it is closed', async () => {
      await client.close()
      await assert.rejects(client.get(CONFIG_MAPS, key('w')), /closed/)
    })
  }

  function watch(query: Omit<WatchOptions, 'namespace'>, signal = new AbortController().signal) {
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    const events = client.watch(CONFIG_MAPS, { namespace, ...query }, signal, () => open())
    return { opened, events: events[Symbol.asyncIterator]() as AsyncGenerator<WatchEvent<ConfigMap>> }
  }

  async function* changes<T extends KubeObject>(resource: Resource<T>, name: string, resourceVersion: string) {
    const query = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion }
    for await (const event of client.watch(resource, query, new AbortController().signal))
      if (event.type !== 'BOOKMARK') yield event
  }
}

/** The error that is to come, which is an answer where `status` is asked of it. */
async function reject(asked: Promise<unknown>): Promise<KubeError> {
  const error: unknown = await asked.then(
    () => assert.fail('it was done'),
    (refusal: unknown) => refusal,
  )
  assert.ok(error instanceof KubeError || isUnreachable(error), String(error))
  return error as KubeError
}
