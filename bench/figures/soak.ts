import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectApi } from '../../core/rest/client/connect.ts'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { EVENTS, EXECUTIONS, JOBS, LEASES, PODS, SECRETS, TASKS } from '../../kube/resources.ts'
import type { KubeObject, Resource } from '../../kube/types.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import { measureFolder } from '../../test/helpers/folder-size.ts'
import type { Figure } from '../figure.ts'
import { type Effort, withFolder, withServer } from '../measure.ts'
import { type Program, residentMB } from '../program.ts'

const run = promisify(execFile)

/**
 * Tasks in all, after how many what is left is measured each time, which measure is the early one, and how many stay in
 * the cluster and in the archive. In the full size as much is there by the early one as may stay
 * (docs/operate/history.md), a thousand Events too; in the quick one it still grows.
 */
const SIZES = {
  full: { tasks: 500, every: 100, early: 300, window: 50 },
  quick: { tasks: 8, every: 4, early: 4, window: 8 },
}
const AT_ONCE = 2
const PROJECT = 'soak'
const AGENT = 'soak'
/** What a task costs that works: lines of log, a commit, a diff. */
const SCRIPT = 'seq 200; date +%N > "$SERVICE_TASK_ID.txt"'
const POLL_MS = 25
/** What removes the rest of a task comes soon after its end, not at once. */
const SETTLE_DEADLINE_MS = 150_000
const SETTLE_MS = 1000
const MEMORY_MS = 250

const CLIENT = { userAgent: 'slipway-bench', fieldManager: 'slipway-bench', requestTimeoutMs: 60_000 }
/** The others do not change with the work: nodes, agents, roles. */
const COUNTED: readonly Resource<KubeObject>[] = [TASKS, EXECUTIONS, JOBS, PODS, EVENTS, LEASES, SECRETS]

type Api = ReturnType<typeof connectApi>

/** The state once nothing works any more. */
interface Rest {
  readonly tasks: number
  readonly memoryMB: number
  readonly files: number
  readonly bytes: number
  readonly objects: Readonly<Record<string, number>>
}

/** Tasks through the whole embedded stack, real processes and pushes included: what is left of them grows no more. */
export async function measure({ size }: Effort): Promise<Figure[]> {
  const { early, tasks } = SIZES[size]
  const rests = await withFolder(async (root) => {
    const repository = await makeRepository(root)
    const folder = join(root, 'data')
    const soaking = { folder, repository, ...SIZES[size] }
    const { window } = soaking
    const retention = JSON.stringify({ closedCount: window, archiveCount: window })
    return withServer(folder, (server) => soak(server, soaking), ['--runtime', 'process', '--retention', retention])
  })
  const find = (count: number): Rest => {
    const found = rests.find((rest) => rest.tasks === count)
    if (found === undefined) throw new Error(`nothing was measured after ${count} tasks`)
    return found
  }
  const [first, last] = [find(early), find(tasks)]
  const flat = (name: string, unit: string, of: (rest: Rest) => number): Figure => ({
    name: `${name}, ${tasks} tasks through a window of ${SIZES[size].window}`,
    unit,
    ours: of(last),
    floor: { what: `after ${early}`, value: of(first) },
    // So few tasks all stay.
    ...(size === 'full' && { aim: { atMost: 1.1, of: 'ratio' } as const }),
  })
  return [
    flat(`least resident memory with the last ${SIZES[size].every}`, 'MB', ({ memoryMB }) => memoryMB),
    flat('objects in the store', 'objects', ({ objects }) => sum(Object.values(objects))),
    flat('files in the data folder', 'files', ({ files }) => files),
    flat('bytes in the data folder', 'MB', ({ bytes }) => bytes / 1e6),
  ]
}

interface Soak {
  readonly folder: string
  readonly repository: string
  readonly tasks: number
  readonly every: number
  readonly window: number
}

async function soak(server: Program, { folder, repository, tasks, every, window }: Soak): Promise<Rest[]> {
  const api = connectApi({ url: server.url, fetch })
  await api.createProject({ body: { id: PROJECT, name: PROJECT, remote_url: repository } })
  await api.createAgent({ body: { id: AGENT, adapter: 'script', max_concurrent: AT_ONCE } })
  const rests: Rest[] = []
  for (let done = 0; done < tasks; done += every) {
    let next = done
    const person = async (): Promise<void> => {
      while (next < done + every) await carry(api, next++)
    }
    const memory = followMemory(server.process.pid ?? 0)
    await Promise.all(Array.from({ length: AT_ONCE }, person))
    const rest = { tasks: done + every, ...(await takeRest(folder, window)), memoryMB: memory.lowest() }
    process.stderr.write(`soak: ${JSON.stringify(rest)}\n`)
    rests.push(rest)
  }
  return rests
}

/** One task through its whole life, as a person takes it. @throws Error when it ends otherwise */
async function carry(api: Api, n: number): Promise<void> {
  const id = `soak-${String(n).padStart(4, '0')}`
  await api.createTask({ body: { id, name: id, project: PROJECT, agent: { type: AGENT, instructions: SCRIPT } } })
  await api.runTask({ params: { id } })
  for (;;) {
    const { state, error } = await api.getTask({ params: { id } })
    if (state === 'READY') break
    if (state !== 'QUEUED' && state !== 'RUNNING') throw new Error(`${id} is ${state}: ${error}`)
    await delay(systemClock, POLL_MS)
  }
  await api.acceptTask({ params: { id } })
}

/**
 * The lowest that a process comes to while it works: what is there after its garbage was collected. At rest V8 collects
 * none, and then it is chance how much there is.
 */
function followMemory(pid: number): { lowest(): number } {
  let lowest = Infinity
  const timer = setInterval(() => (lowest = Math.min(lowest, residentMB(pid))), MEMORY_MS)
  return {
    lowest() {
      clearInterval(timer)
      return lowest
    },
  }
}

/** Waits until what exceeds the window has gone, and nothing changes any more. */
async function takeRest(folder: string, window: number): Promise<Omit<Rest, 'tasks' | 'memoryMB'>> {
  const deadline = performance.now() + SETTLE_DEADLINE_MS
  const config = await loadKubeConfig({ kind: 'file', path: join(folder, 'kubeconfig') })
  const client = createClient(config, CLIENT)
  const look = async () => ({ ...(await measureFolder(folder)), objects: await countObjects(client) })
  try {
    let seen = await look()
    for (let before = ''; before !== countsOf(seen) || (seen.objects[TASKS.plural] ?? 0) > window;) {
      if (performance.now() > deadline) throw new Error(`what is left still changes: ${JSON.stringify(seen)}`)
      before = countsOf(seen)
      await delay(systemClock, SETTLE_MS)
      seen = await look()
    }
    return seen
  } finally {
    await client.close()
  }
}

async function countObjects(client: ReturnType<typeof createClient>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const resource of COUNTED) counts[resource.plural] = (await client.list(resource)).items.length
  return counts
}

/** Bytes change with each sign of life. */
function countsOf({ files, objects }: Pick<Rest, 'files' | 'objects'>): string {
  return JSON.stringify([files, objects])
}

/** A bare one with a commit. */
async function makeRepository(root: string): Promise<string> {
  const [work, bare] = [join(root, 'work'), join(root, 'soak.git')]
  await run('git', ['init', '--quiet', '--initial-branch=main', work])
  const identity = ['-c', 'user.name=Slipway', '-c', 'user.email=slipway@localhost']
  await run('git', ['-C', work, ...identity, 'commit', '--quiet', '--allow-empty', '--message=Begin'])
  await run('git', ['clone', '--quiet', '--bare', '--', work, bare])
  return bare
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
