/** The figures, each a function of the effort allowed. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { asRecord, createRestClient } from '../cli/client.ts'
import { makeDemoRepository } from '../cli/demo/repository.ts'
import { packageFolder } from '../cli/installation.ts'
import { delay, systemClock } from '../lib/clock.ts'
import type { Figure } from './figure.ts'
import { median } from './figure.ts'
import { measureRate, measureTimes } from './load.ts'
import type { Program } from './program.ts'
import { benchProgram, processorSeconds, residentMB, SLIPWAY, startProgram } from './program.ts'
import { seedFinishedTasks } from './seed.ts'

const run = promisify(execFile)

/** How much to do: the full measure, or enough to see that it runs. */
export interface Effort {
  readonly repeats: number
  readonly tasks: number
  readonly seconds: number
  /** In the store that a point read is timed in. */
  readonly objects: number
}

/** Long enough for caches to fill and for the collector to run once. */
const IDLE_MS = 3000
/** How long an idle stack is watched for work that nobody asked for. */
const WATCHED_MS = 5000
const LISTED_DEADLINE_MS = 30_000

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function withServer<T>(folder: string, use: (server: Program) => Promise<T>): Promise<T> {
  const server = await startProgram([SLIPWAY, 'serve', '--listen', '127.0.0.1:0', '--data-dir', folder])
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

interface Pair {
  readonly ours: number
  readonly floor: number
}

/** Medians of both, measured in turns: what else the machine does meanwhile then slows both alike. */
async function alternate(times: number, ours: () => Promise<number>, floor: () => Promise<number>): Promise<Pair> {
  const values: Pair[] = []
  for (let i = 0; i < times; i++) values.push({ ours: await ours(), floor: await floor() })
  return { ours: median(values.map((pair) => pair.ours)), floor: median(values.map((pair) => pair.floor)) }
}

async function startTime(args: readonly string[]): Promise<number> {
  const program = await startProgram(args)
  await program.stop()
  return program.startMs
}

export async function measureStart({ repeats }: Effort): Promise<Figure[]> {
  const { ours, floor } = await alternate(
    repeats,
    () => withFolder((folder) => startTime([SLIPWAY, 'serve', '--listen', '127.0.0.1:0', '--data-dir', folder])),
    () => startTime([benchProgram('floor-http')]),
  )
  return [
    {
      name: 'server start to ready, empty store',
      unit: 'ms',
      ours,
      floor: { what: 'node starting and listening', value: floor },
      aim: '≤ 8×',
    },
  ]
}

const FIRST_INSTRUCTION = 'echo "$EPOCHREALTIME"'

/** From the request to the first line of the script, and by hand: git clone, then bash. */
export async function measureFirstInstruction({ repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const repository = join(folder, 'repository.git')
    await makeDemoRepository(packageFolder(), repository)
    const { ours, floor } = await withServer(join(folder, 'data'), async ({ url }) => {
      const api = createRestClient(url, undefined)
      await api.post('/api/projects', { id: 'bench', name: 'bench', remote_url: repository })
      return alternate(
        repeats,
        () => firstInstructionByTask(url),
        () => firstInstructionByHand(repository, join(folder, 'by-hand')),
      )
    })
    return [
      {
        name: 'POST run → first instruction of the script',
        unit: 'ms',
        ours,
        floor: { what: 'git clone and bash by hand', value: floor },
        aim: '≤ 3×',
      },
    ]
  })
}

async function firstInstructionByTask(url: string): Promise<number> {
  const api = createRestClient(url, undefined)
  const body = { name: 'bench', project: 'bench', agent: { type: 'script', instructions: FIRST_INSTRUCTION } }
  const id = String(asRecord(await api.post('/api/tasks', body))['id'])
  const requestedAt = Date.now()
  await api.post(`/api/tasks/${id}/run`)
  let printed = Number.NaN
  for await (const { event, data } of api.stream(`/api/tasks/${id}/logs/stream`, AbortSignal.timeout(60_000))) {
    if (event === 'log' && data['stream'] === 'stdout') printed = Number(data['line']) * 1000
  }
  return printed - requestedAt
}

async function firstInstructionByHand(repository: string, target: string): Promise<number> {
  const startedAt = Date.now()
  await run('git', ['clone', '--quiet', '--', repository, target])
  const { stdout } = await run('bash', ['-c', FIRST_INSTRUCTION], { cwd: target })
  await rm(target, { recursive: true, force: true })
  return Number(stdout) * 1000 - startedAt
}

/** Memory idle and with many finished tasks, and how fast they are read. */
export async function measureReads(effort: Effort): Promise<Figure[]> {
  const { tasks } = effort
  return withFolder(async (folder) =>
    withServer(folder, async (server) => {
      const pid = server.process.pid ?? 0
      await delay(systemClock, IDLE_MS)
      const idle = residentMB(pid)
      await seedFinishedTasks(join(folder, 'kubeconfig'), tasks)
      await untilListed(server.url, tasks)
      await delay(systemClock, IDLE_MS)
      const loaded = residentMB(pid)
      const before = processorSeconds(pid)
      await delay(systemClock, WATCHED_MS)
      const busy = processorSeconds(pid) - before
      return [
        { name: 'resident memory, whole embedded stack idle', unit: 'MB', ours: idle, aim: '≤ 180 MB' },
        {
          name: `resident memory with ${tasks.toLocaleString('en')} finished tasks`,
          unit: 'MB',
          ours: loaded,
          aim: '≤ 350 MB',
        },
        {
          name: `processor time in ${WATCHED_MS / 1000} s with ${tasks.toLocaleString('en')} finished tasks, idle`,
          unit: 's',
          ours: busy,
          aim: 'near 0',
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
    aim: '≥ 0.6×',
  }
}

const LISTS_PER_TURN = 5

async function measureList(url: string, folder: string, { repeats, tasks }: Effort): Promise<Figure> {
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
    name: `GET /api/tasks with ${tasks.toLocaleString('en')} tasks`,
    unit: 'ms',
    ours,
    floor: { what: 'Koa, same bytes', value: floor },
    aim: '≤ 2×',
  }
}

/** The floor serves exactly the bytes that `url` answers now. */
async function withFloor<T>(url: string, folder: string, measure: (url: string) => Promise<T>): Promise<T> {
  const file = join(folder, 'floor.json')
  await writeFile(file, Buffer.from(await (await fetch(url)).arrayBuffer()))
  if ((await readFile(file)).length < 3) throw new Error(`${url} answered nothing to compare with`)
  const floor = await startProgram([benchProgram('floor-koa'), file])
  try {
    return await measure(floor.url)
  } finally {
    await floor.stop()
  }
}
