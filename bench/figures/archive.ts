import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution, Task } from '../../core/crd/types.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { DEFAULT_RETENTION } from '../../core/task/retention.ts'
import { openArchive } from '../../lib/archive/archive.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import { formatRecord } from '../../lib/archive/record.ts'
import { forgetArchived } from '../../operator/forgetting.ts'
import { openWorld } from '../../test/operator/world.ts'
import { type Figure, median } from '../figure.ts'
import { measureTimes } from '../load.ts'
import { type Effort, alternate, withFolder, withServer } from '../measure.ts'
import { type Program, residentMB } from '../program.ts'
import { seedFinishedTasks } from '../seed.ts'
import { text } from '../../test/helpers/build.ts'

const ARCHIVED = { full: 100_000, quick: 2000 }
const LIVE = { full: 1000, quick: 100 }
/** Until the present one (2026-11), when a task is archived. */
const MONTHS = Array.from(
  { length: 23 },
  (_, n) => `${2025 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`,
)
const REQUESTS_PER_TURN = 50
const CANCELS_PER_TURN = 20
/** Long enough for caches to fill and for the collector to run once. */
const IDLE_MS = { full: 3000, quick: 1000 }

/** What an archive costs: the same installation with and without it, in turns. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const [archived, live] = [ARCHIVED[size], LIVE[size]]
  return withFolder(async (root) => {
    const [full, empty] = [join(root, 'archive'), join(root, 'none')]
    for (const folder of [full, empty])
      await withServer(folder, () => seedFinishedTasks(join(folder, 'kubeconfig'), live))
    await seedArchive(full, archived)
    const compare = async (of: (server: Program) => Promise<number>) =>
      alternate(
        // Each measurement is two starts.
        size === 'quick' ? 1 : repeats,
        () => withServer(full, of),
        () => withServer(empty, of),
      )
    const row = (
      name: string,
      unit: string,
      { ours, floor }: { ours: number; floor: number },
      atMost: number,
    ): Figure => ({
      name: `${name}, ${archived.toLocaleString('en')} archived and ${live.toLocaleString('en')} live`,
      unit,
      ours,
      floor: { what: 'none archived', value: floor },
      aim: { atMost, of: 'ratio' },
    })
    const whenIdle = (of: (server: Program) => number | Promise<number>) => async (server: Program) => {
      await delay(systemClock, IDLE_MS[size])
      return of(server)
    }
    const timeOf = (path: string) =>
      whenIdle(async ({ url }) => median(await measureTimes(`${url}${path}`, REQUESTS_PER_TURN)))
    const memory = whenIdle(({ process }) => residentMB(process.pid ?? 0))
    return [
      row('resident memory', 'MB', await compare(memory), 1.3),
      row('start to ready', 'ms', await compare((server) => Promise.resolve(server.startMs)), 1.5),
      row('GET /api/tasks', 'ms', await compare(timeOf('/api/tasks')), 1.2),
      row('GET /api/stats', 'ms', await compare(timeOf('/api/stats')), 1.2),
      row('a cancel until the operator has done it', 'ms', await compare(whenIdle(cancelTime)), 1.2),
      await compareReads(full, archived),
      // Last: afterwards the archive has less.
      await compareForgetting(full, archived),
    ]
  })
}

/** An archived task is a file; a live one is in memory. */
async function compareReads(folder: string, archived: number): Promise<Figure> {
  return withServer(folder, async ({ url }) => ({
    name: `GET /api/tasks/{id} of an archived task, of ${archived.toLocaleString('en')}`,
    unit: 'ms',
    ours: median(await measureTimes(`${url}/api/tasks/${nameOf(archived - 1)}`, REQUESTS_PER_TURN)),
    floor: {
      what: 'a live task',
      value: median(await measureTimes(`${url}/api/tasks/seed-000000`, REQUESTS_PER_TURN)),
    },
    aim: { atMost: 10 },
  }))
}

const FORGOTTEN = 100

/** The operator's pass over the archive, without the calls to the API server. */
async function compareForgetting(folder: string, archived: number): Promise<Figure> {
  const world = await openWorld()
  const volumeRoot = join(folder, 'volume')
  const context = { ...world.context, settings: { ...world.context.settings, volumeRoot } }
  const served = [{ namespace: 'default', context }]
  const pass = async (count: number): Promise<number> => {
    const retention = { ...DEFAULT_RETENTION, archive: { ageMs: Infinity, count } }
    const logger = { warn: (...line: readonly unknown[]) => process.stderr.write(`${JSON.stringify(line)}\n`) }
    const startedAt = performance.now()
    const forgotten = await forgetArchived(
      { ...context, archive: openArchive(volumeRoot), retention, logger, served, judgedAt: new Date() },
      'default',
      FORGOTTEN,
    )
    if (forgotten.length !== archived - count) throw new Error(`${forgotten.length} were forgotten`)
    return performance.now() - startedAt
  }
  const name = `a pass that forgets ${FORGOTTEN} of ${archived.toLocaleString('en')} archived tasks`
  try {
    const value = await pass(archived)
    const ours = await pass(archived - FORGOTTEN)
    return { name, unit: 'ms', ours, floor: { what: 'one that forgets none', value }, aim: { atMost: 5_000 } }
  } finally {
    await world.close()
  }
}

/** What the operator takes to see a request, to decide and to write: the median of some. */
async function cancelTime({ url }: Program): Promise<number> {
  const api = connectApi({ url, fetch })
  const times: number[] = []
  for (let n = 0; n < CANCELS_PER_TURN; n += 1) {
    const { id } = await api.createTask({ body: { name: 'bench' } })
    const startedAt = performance.now()
    await api.cancelTask({ params: { id } })
    while ((await api.getTask({ params: { id } })).state !== 'CANCELLED') await delay(systemClock, 1)
    times.push(performance.now() - startedAt)
    await api.deleteTask({ params: { id } })
  }
  return median(times)
}

function nameOf(n: number): string {
  return `archived-${String(n).padStart(6, '0')}`
}

/** Written as files, as the operator leaves them: archiving so many one by one would be the longest part of this. */
async function seedArchive(dataDir: string, count: number): Promise<void> {
  const folderOf = (month: string): string => join(dataDir, 'volume', 'archive', 'default', month)
  for (const month of MONTHS) await mkdir(folderOf(month), { recursive: true })
  for (let n = 0; n < count; n += 1) {
    const month = MONTHS[n % MONTHS.length] ?? ''
    const path = join(folderOf(month), `${nameOf(n)}.jsonl.gz`)
    await writeFile(path, await formatRecord(recordOf(n, month)))
    const endedAt = new Date(startOf(month))
    await utimes(path, endedAt, endedAt)
  }
}

function startOf(month: string): string {
  return `${month}-01T00:00:00Z`
}

function recordOf(n: number, month: string) {
  const at = startOf(month)
  const name = nameOf(n)
  const metadata = { namespace: 'default', uid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` }
  const times = { startedAt: at, finishedAt: at }
  const task: Task = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: { ...metadata, name, resourceVersion: String(n + 1), creationTimestamp: at },
    spec: { title: `Archived task ${n}`, description: 'A task of the past. '.repeat(20) },
    status: {
      state: 'COMPLETED',
      executions: 1,
      attempts: 1,
      execution: `${name}-1`,
      summary: text('Done.'),
      ...times,
    },
  }
  const execution: Execution = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Execution',
    metadata: { ...metadata, name: `${name}-1`, creationTimestamp: at },
    spec: { taskRef: { name }, agent: 'script', attempt: 1, purpose: 'Run' },
    status: { state: 'COMPLETED', costUSD: 0.1, ...times },
  }
  return { archivedAt: at, task, executions: [execution] }
}
