import { join } from 'node:path'
import { delay, systemClock } from '../../lib/clock.ts'
import { type Figure, median } from '../figure.ts'
import { measureRate, measureTimes } from '../load.ts'
import { type Effort, alternate, withFloor, withFolder, withServer } from '../measure.ts'
import { processorSeconds, residentMB } from '../program.ts'
import { seedFinishedTasks } from '../seed.ts'

const TASKS = { full: 10_000, quick: 500 }
/** Long enough for caches to fill and for the collector to give back what the start or the seeding has left (lib/heap.ts). */
const IDLE_MS = { full: 20_000, quick: 1000 }
/** How long an idle stack is watched for work that nobody asked for. */
const WATCHED_MS = { full: 5000, quick: 2000 }
const LISTED_DEADLINE_MS = 30_000

/** Memory idle and with many finished tasks, and how fast they are read. */
export async function measure(effort: Effort): Promise<Figure[]> {
  const [tasks, idleMs, watchedMs] = [TASKS[effort.size], IDLE_MS[effort.size], WATCHED_MS[effort.size]]
  return withFolder(async (folder) =>
    withServer(folder, async (server) => {
      const pid = server.process.pid ?? 0
      await delay(systemClock, idleMs)
      const idle = residentMB(pid)
      await seedFinishedTasks(join(folder, 'kubeconfig'), tasks)
      await untilListed(server.url, tasks)
      await delay(systemClock, idleMs)
      const loaded = residentMB(pid)
      const busy: number[] = []
      for (let n = 0; n < effort.repeats; n++) {
        const before = processorSeconds(pid)
        await delay(systemClock, watchedMs)
        busy.push(processorSeconds(pid) - before)
      }
      return [
        { name: 'resident memory, whole embedded stack idle', unit: 'MB', ours: idle, aim: { atMost: 100 } },
        {
          name: `resident memory with ${tasks.toLocaleString('en')} finished tasks`,
          unit: 'MB',
          ours: loaded,
          aim: { atMost: 200 },
        },
        {
          name: `processor time in ${watchedMs / 1000} s with ${tasks.toLocaleString('en')} finished tasks, idle`,
          unit: 's',
          ours: median(busy),
          aim: { atMost: (0.02 * watchedMs) / 1000 },
        },
        await measureOne(server.url, folder, effort),
        await measureList(server.url, folder, effort),
      ]
    }),
  )
}

/** Waits until the API server's cache holds all seeded tasks: fewer would flatter every figure that follows. */
async function untilListed(url: string, count: number): Promise<void> {
  const deadline = Date.now() + LISTED_DEADLINE_MS
  for (;;) {
    const tasks: unknown = await (await fetch(`${url}/api/tasks`)).json()
    const listed = Array.isArray(tasks) ? tasks.length : 0
    if (listed === count) return
    if (Date.now() > deadline) throw new Error(`the API lists ${listed} of ${count} tasks`)
    await delay(systemClock, 100)
  }
}

async function measureOne(url: string, folder: string, { repeats, seconds }: Effort): Promise<Figure> {
  const load = { connections: 16, seconds: seconds / repeats }
  const path = `${url}/api/tasks/seed-000000`
  const { ours, floor } = await withFloor(path, folder, (floorUrl) =>
    alternate(
      repeats,
      () => measureRate(path, load),
      () => measureRate(floorUrl, load),
    ),
  )
  return {
    name: 'GET /api/tasks/{id}',
    unit: 'requests/s',
    ours,
    floor: { what: 'Koa, same bytes', value: floor },
    aim: { atLeast: 0.75, of: 'ratio' },
  }
}

const LISTS_PER_TURN = 5

async function measureList(url: string, folder: string, { repeats, size }: Effort): Promise<Figure> {
  const path = `${url}/api/tasks`
  const listTime = async (listUrl: string): Promise<number> => median(await measureTimes(listUrl, LISTS_PER_TURN))
  const { ours, floor } = await withFloor(path, folder, (floorUrl) =>
    alternate(
      repeats,
      () => listTime(path),
      () => listTime(floorUrl),
    ),
  )
  return {
    name: `GET /api/tasks with ${TASKS[size].toLocaleString('en')} tasks`,
    unit: 'ms',
    ours,
    floor: { what: 'Koa, same bytes', value: floor },
    aim: { atMost: 2, of: 'ratio' },
  }
}
