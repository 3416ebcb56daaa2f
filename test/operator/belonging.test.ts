import assert from 'node:assert/strict'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTIONS, NAMESPACES, TASKS } from '../../kube/resources.ts'
import { type KubeObject, KubeError } from '../../kube/types.ts'
import { findHeld, readBelonging, writeBelonging } from '../../lib/belonging.ts'
import { makeLogger } from '../../lib/log.ts'
import { untilOurs } from '../../operator/belonging.ts'
import type { Informers } from '../../operator/informers.ts'
import { runSweeper } from '../../operator/sweeper.ts'
import { anExecution, aTask, NAMESPACE } from '../helpers/build.ts'
import { until } from '../helpers/until.ts'
import { type World, openWorld } from './world.ts'

describe('whose a data volume is', () => {
  let world: World
  let reasons: (string | undefined)[]
  let stop: AbortController
  let requests: string[]
  beforeEach(async () => {
    world = await openWorld()
    reasons = []
    requests = []
    stop = new AbortController()
    world.kube.put<KubeObject>(NAMESPACES, { metadata: { name: NAMESPACE, uid: 'here' } })
    const { find, list } = world.kube
    const client: typeof world.kube = {
      ...world.kube,
      find: (resource, key) => {
        if (resource.kind !== 'Namespace') requests.push(`GET ${resource.plural}/${key.name}`)
        return find(resource, key)
      },
      list: (resource, query) => {
        requests.push(`LIST ${resource.plural}`)
        return list(resource, query)
      },
    }
    Object.assign(world.context, { client })
  })
  afterEach(() => world.close())

  const notes = () => ({
    note: (reason: string | undefined) => void reasons.push(reason),
    events: world.context.events,
    logger: makeLogger('silent'),
  })
  const served = () => {
    const { views } = world.context
    const informers = Object.fromEntries(
      Object.entries(views).map(([kind, view]) => [kind, { ...view, synced: Promise.resolve(true) }]),
    ) as unknown as Informers
    return [{ namespace: NAMESPACE, context: world.context, informers }]
  }
  const at = (path: string): string => join(world.volumeRoot, path)
  const leave = async (task: string): Promise<void> => {
    const mark = { uid: `uid-${task}-1`, namespace: NAMESPACE, name: `${task}-1`, task: `uid-${task}` }
    await mkdir(at(`executions/${task}-1`), { recursive: true })
    await writeFile(at(`executions/${task}-1/owner`), JSON.stringify(mark))
    await mkdir(at(`sandboxes/${task}/repo`), { recursive: true })
    await writeFile(at(`sandboxes/${task}.owner`), JSON.stringify({ ...mark, uid: `uid-${task}`, name: task }))
    const then = new Date(world.clock.now().getTime() - 7_200_000)
    await utimes(at(`executions/${task}-1`), then, then)
  }
  const give = (task: string): void => {
    world.kube.put(TASKS, aTask({ name: task, status: { state: 'READY', executions: 1 } }))
    world.kube.put(EXECUTIONS, anExecution({ name: `${task}-1` }))
  }
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)
  const left = async (): Promise<number> =>
    (await readdir(at('sandboxes'))).filter((name) => !name.endsWith('.owner')).length +
    (await readdir(at('executions'))).length
  const asks = () => untilOurs(served(), notes(), stop.signal)
  /** Runs until the volume is held, or nothing happens any more for the sweeper's longest wait. */
  const sweeping = async (isDone: () => Promise<boolean>): Promise<void> => {
    const options = { ...notes(), clock: world.clock, served: served(), volumeRoot: world.volumeRoot }
    const running = runSweeper(options, stop.signal)
    try {
      await until('the sweep is where it should be', async () => {
        await world.clock.advance(500)
        return isDone()
      })
    } finally {
      stop.abort()
      await running
    }
  }

  it('is written on an empty one, and on one of an earlier version whose folders match the objects', async () => {
    await asks()
    assert.deepEqual(await readBelonging(world.volumeRoot, NAMESPACE), { uid: 'here' })
    await rm(at('belongs'), { recursive: true })
    for (const task of names('t', 3)) await leave(task)
    for (const task of names('t', 2)) give(task)
    await asks()
    assert.deepEqual(await readBelonging(world.volumeRoot, NAMESPACE), { uid: 'here' })
    assert.deepEqual(
      reasons.filter((reason) => reason !== undefined),
      [],
    )
  })

  for (const was of ['elsewhere', undefined]) {
    it(`holds an operator back that meets one of ${was ?? 'nobody'} with other objects, until somebody adopts it`, async () => {
      for (const task of names('t', 4)) await leave(task)
      if (was !== undefined) await writeBelonging(world.volumeRoot, NAMESPACE, { uid: was })
      let isOver = false
      const waiting = asks().then(() => (isOver = true))
      await until('it is held', () => reasons.length > 0)
      await world.clock.advance(60_000)
      assert.equal(isOver, false)
      assert.match(reasons.at(-1) ?? '', /8 of 8 folders have no task or execution here/)
      assert.match(reasons.at(-1) ?? '', was === undefined ? /bears no mark/ : /another control plane .*uid elsewhere/)
      assert.equal(world.events.at(-1)?.reason, 'VolumeHeld')
      const [held] = await findHeld(world.volumeRoot)
      assert.equal(held?.held.text, reasons.at(-1))
      await writeBelonging(world.volumeRoot, NAMESPACE, { uid: was, adopted: { uid: 'here', unowned: 8 } })
      await until('it goes on', async () => {
        await world.clock.advance(2000)
        return isOver
      })
      await waiting
      assert.equal(await left(), 8)
      await sweeping(async () => (await left()) === 0)
    })
  }

  it('is left to the share of a sweep where the operator may not read its namespace', async () => {
    const client = { ...world.context.client, find: () => Promise.reject(new KubeError(403, 'Forbidden', 'no')) }
    Object.assign(world.context, { client })
    await leave('t')
    await asks()
    assert.deepEqual(await readBelonging(world.volumeRoot, NAMESPACE), {})
  })

  it('is swept of a few folders, and of more than a share once somebody has let them go', async () => {
    for (const task of names('t', 40)) await leave(task)
    for (const task of names('t', 34)) give(task)
    await sweeping(async () => (await findHeld(world.volumeRoot)).length > 0 && reasons.length > 0)
    assert.equal(await left(), 80)
    assert.match(reasons.at(-1) ?? '', /12 of 80 folders/)
    assert.deepEqual(requests, ['LIST tasks', 'LIST executions'])
    // Killed in between: the next operator finds the same.
    stop = new AbortController()
    await writeBelonging(world.volumeRoot, NAMESPACE, { uid: 'here', adopted: { uid: 'here', unowned: 12 } })
    await sweeping(
      async () => (await left()) === 68 && (await readBelonging(world.volumeRoot, NAMESPACE)).adopted === undefined,
    )
    assert.equal(reasons.at(-1), undefined)
  })

  it('is asked of by lists, not by a request for each of many folders', async () => {
    for (const task of names('t', 110)) await leave(task)
    for (const task of names('t', 99)) give(task)
    await sweeping(async () => (await left()) === 198)
    assert.deepEqual(requests, ['LIST tasks', 'LIST executions', 'LIST tasks', 'LIST executions'])
  })
})
