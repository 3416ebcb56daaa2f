import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Archive } from '../../lib/archive/archive.ts'
import { type RetentionLimit, DEFAULT_RETENTION } from '../../core/task/retention.ts'
import { forgetArchived } from '../../operator/forgetting.ts'
import { anExecution, aTask, NAMESPACE } from '../helpers/build.ts'
import { measureFolder } from '../helpers/folder-size.ts'
import { type ArchiveWorld, openArchiveWorld } from './archive-world.ts'
import type { World } from './world.ts'

interface Rig {
  readonly max?: number
  readonly ended?: AbortSignal
  readonly through?: Archive
  readonly client?: World['context']['client']
  readonly views?: World['context']['views']
}

describe('forgetting what the archive need not keep', () => {
  let world: World
  let archive: Archive
  let warnings: readonly object[]
  let base: ArchiveWorld['context']
  let givenFolder: ArchiveWorld['givenFolder']
  beforeEach(async () => {
    ;({ world, archive, warnings, context: base, givenFolder } = await openArchiveWorld())
  })
  afterEach(() => world.close())

  const forget = (
    limit: Partial<RetentionLimit>,
    { max = 100, ended, through = archive, client = world.context.client, views = world.context.views }: Rig = {},
  ): Promise<readonly string[]> => {
    const context = { ...base(client), views, archive: through }
    const retention = { ...DEFAULT_RETENTION, archive: { ...DEFAULT_RETENTION.archive, ...limit } }
    const served = [{ namespace: NAMESPACE, context }]
    return forgetArchived({ ...context, retention, served }, NAMESPACE, max, ended)
  }
  /** With two executions, and the files of both. */
  const archived = async (name: string, at: string): Promise<void> => {
    const task = aTask({ name, metadata: { uid: `uid-${name}` }, status: { state: 'COMPLETED', executions: 2 } })
    const executions = [1, 2].map((n) =>
      anExecution({ name: `${name}-${n}`, status: { state: 'COMPLETED', finishedAt: at } }),
    )
    await archive.add({ archivedAt: at, task, executions })
    for (const { metadata } of executions) await givenFolder(metadata.name, `uid-${name}`)
  }
  const size = () => measureFolder(world.volumeRoot)
  const isThere = async (name: string): Promise<boolean> => (await archive.find(NAMESPACE, name)) !== undefined

  it('leaves the volume as it was before the task, and all others whole', async () => {
    await archived('new', '2025-12-20T00:00:00Z')
    const before = await size()
    await archived('old', '2025-10-05T00:00:00Z')
    assert.equal((await size()).files, before.files + 5)
    assert.deepEqual(await forget({}), [])
    assert.deepEqual(await forget({ ageMs: 30 * 86_400_000 }), ['old'])
    assert.deepEqual(await size(), before)
    assert.deepEqual(await archive.months(NAMESPACE), ['2025-12'])
    assert.deepEqual([await isThere('new'), warnings], [true, []])
  })

  it('serves nothing half after a crash behind any step, and the next pass and sweep finish it', async () => {
    await archived('new', '2025-12-20T00:00:00Z')
    const before = await size()
    // The server is asked for the task, the record goes, it is asked again, and for each execution twice before its files go.
    for (const steps of [0, 1, 2, 3, 4, 5, 6, 7]) {
      await archived('old', '2025-10-05T00:00:00Z')
      const dying = new AbortController()
      let left = steps
      const step = (): void => void (left-- === 0 && dying.abort(new Error('another leads')))
      const through: Archive = {
        ...archive,
        async removeFrom(...key) {
          await archive.removeFrom(...key)
          step()
        },
      }
      const { client } = world.context
      const find: typeof client.find = async (...how) => {
        const found = await client.find(...how)
        step()
        return found
      }
      const done = forget({ count: 1 }, { ended: dying.signal, through, client: { ...client, find } })
      if (steps < 7) await assert.rejects(done, /another leads/)
      else assert.deepEqual(await done, ['old'])
      const files = [1, 2].map((n) => existsSync(join(world.volumeRoot, 'executions', `old-${n}`)))
      assert.deepEqual([steps, await isThere('old'), files], [steps, steps === 0, [steps < 5, steps < 7]])
      await forget({ count: 1 })
      await world.sweep()
      assert.deepEqual([steps, await size()], [steps, before])
    }
  })

  it('takes the oldest first, a bounded number in each pass', async () => {
    for (const day of ['03', '01', '04', '02']) await archived(`on-${day}`, `2025-12-${day}T00:00:00Z`)
    assert.deepEqual(await forget({ count: 1 }, { max: 2 }), ['on-01', 'on-02'])
    assert.deepEqual(await forget({ count: 1 }, { max: 2 }), ['on-03'])
    assert.deepEqual(await forget({ count: 1 }), [])
  })

  it('leaves alone what is being restored, also when only the server knows of it yet', async () => {
    await archived('old', '2025-10-05T00:00:00Z')
    world.given({ name: 'old', metadata: { uid: 'made-again' } })
    assert.deepEqual(await forget({ count: 0 }), [])
    const { tasks, ...others } = world.context.views
    const views = { ...others, tasks: { ...tasks, get: () => undefined } }
    assert.deepEqual([await forget({ count: 0 }, { views }), await isThere('old')], [[], true])
  })

  it('forgets what the cache takes for a task that is there: it was archived a moment ago', async () => {
    await archived('old', '2025-10-05T00:00:00Z')
    const { tasks, ...others } = world.context.views
    const views = { ...others, tasks: { ...tasks, get: () => aTask({ name: 'old' }) } }
    assert.deepEqual([await forget({ count: 0 }, { views }), await isThere('old')], [['old'], false])
  })

  it('puts the record back of a task that is made again while it goes', async () => {
    await archived('old', '2025-10-05T00:00:00Z')
    const through: Archive = {
      ...archive,
      async removeFrom(...key) {
        await archive.removeFrom(...key)
        world.given({ name: 'old', metadata: { uid: 'made-again' } })
      },
    }
    const before = await size()
    assert.deepEqual([await forget({ count: 0 }, { through }), await isThere('old')], [[], true])
    assert.deepEqual(await size(), before)
  })

  it('goes on with later months when as many of one cannot be forgotten as are tried', async () => {
    for (let n = 10; n < 22; n++) await archived(`stuck-${n}`, `2025-09-${n}T00:00:00Z`)
    await archived('old', '2025-10-06T00:00:00Z')
    const through: Archive = {
      ...archive,
      removeFrom: (namespace, month, name) =>
        name === 'old' ? archive.removeFrom(namespace, month, name) : Promise.reject(new Error('refused')),
    }
    assert.deepEqual(await forget({ count: 0 }, { through }), ['old'])
    assert.equal(warnings.length, 10)
  })

  it('goes on with the others when one cannot be forgotten', async () => {
    await archived('stuck', '2025-10-05T00:00:00Z')
    await archived('old', '2025-10-06T00:00:00Z')
    const through: Archive = {
      ...archive,
      removeFrom: (namespace, month, name) =>
        name === 'stuck' ? Promise.reject(new Error('refused')) : archive.removeFrom(namespace, month, name),
    }
    assert.deepEqual(await forget({ count: 0 }, { through }), ['old'])
    assert.match(JSON.stringify(warnings), /"task":"stuck"/)
    assert.ok(await isThere('stuck'))
  })

  it('forgets a damaged record too, and the next sweep its files', async () => {
    const before = await size()
    await archived('old', '2025-10-05T00:00:00Z')
    await writeFile(join(world.volumeRoot, 'archive', NAMESPACE, '2025-10', 'old.jsonl.gz'), 'not what was written')
    await world.sweep()
    assert.ok(existsSync(join(world.volumeRoot, 'executions', 'old-1')))
    assert.deepEqual(await forget({ count: 0 }), ['old'])
    await world.sweep()
    assert.deepEqual(await size(), before)
  })
})
