import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  ENVIRONMENTS_PATH,
  EXECUTIONS_PATH,
  mirrorsPath,
  REPOSITORIES_PATH,
  SANDBOXES_PATH,
} from '../../core/execution/layout.ts'
import { parseOwner } from '../../core/execution/owner.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { EXECUTIONS, PROJECTS } from '../../kube/resources.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import { measureFolders } from '../../lib/disk-usage.ts'
import type { Figure } from '../figure.ts'
import { makeLargeRepository } from '../large-repository.ts'
import { type Effort, withFolder, withServer } from '../measure.ts'
import { residentMB } from '../program.ts'

const run = promisify(execFile)

const SIZES = { full: { projects: 20, tasksOfEach: 10 }, quick: { projects: 2, tasksOfEach: 2 } }
const AGENT = 'projects'
const AT_ONCE = 4
const REPOSITORY = { commits: 50, files: 200, fileBytes: 4000 }
const SETUP = 'mkdir cache && cd cache && head -c 4000000 /dev/urandom | split -a 4 -b 20000'
const POLL_MS = 1000
const DEADLINE_MS = 3_600_000
const CLIENT = { userAgent: 'slipway-bench', fieldManager: 'slipway-bench', requestTimeoutMs: 60_000 }

/** Many projects begin at once, each with a mirror and an environment of its own that nobody has made yet. */
export async function measure({ size }: Effort): Promise<Figure[]> {
  const { projects, tasksOfEach } = SIZES[size]
  return withFolder(async (folder) => {
    const ids = Array.from({ length: projects }, (_, n) => `project-${n}`)
    for (const id of ids) await makeLargeRepository(join(folder, `${id}.git`), REPOSITORY)
    const data = join(folder, 'data')
    const { seconds, memoryMB, found } = await withServer(data, async ({ url, process: { pid = 0 } }) => {
      const api = connectApi({ url, fetch })
      await api.createAgent({ body: { id: AGENT, adapter: 'script', max_concurrent: AT_ONCE } })
      for (const id of ids) {
        const environment = { setup: SETUP, cache: [{ path: 'cache' }] }
        await api.createProject({ body: { id, name: id, remote_url: join(folder, `${id}.git`), environment } })
      }
      const startedAt = performance.now()
      // As people take turns: one of each project after the other.
      const tasks = Array.from({ length: tasksOfEach }, (_, n) =>
        ids.map((project) => ({ project, id: `${project}-${n}` })),
      )
      for (const { id, project } of tasks.flat()) {
        const agent = { type: AGENT, instructions: 'ls cache | wc -l > count.txt' }
        await api.createTask({ body: { id, name: id, project, agent } })
        await api.runTask({ params: { id } })
      }
      let [memoryMB, left] = [0, tasks.flat().map(({ id }) => id)]
      while (left.length > 0) {
        if (performance.now() - startedAt > DEADLINE_MS) throw new Error(`not READY: ${left.join(', ')}`)
        await delay(systemClock, POLL_MS)
        memoryMB = Math.max(memoryMB, residentMB(pid))
        const states = await Promise.all(left.map(async (id) => (await api.getTask({ params: { id } })).state))
        const lost = left.find((_, n) => !['QUEUED', 'RUNNING', 'READY'].includes(states[n] ?? ''))
        if (lost !== undefined) throw new Error(`${lost} has failed`)
        left = left.filter((_, n) => states[n] !== 'READY')
      }
      const seconds = (performance.now() - startedAt) / 1000
      return { seconds, memoryMB, found: await look(data) }
    })
    const [bytes = 0] = await measureFolders([join(data, 'volume')])
    const count = projects * tasksOfEach
    const name = `${count} tasks of ${projects} projects at once`
    return [
      { name: `${name} → all READY`, unit: 's', ours: seconds },
      { name: `${name}: setups`, unit: 'setups', ours: found.setups, aim: { atMost: projects } },
      { name: `${name}: mirrors`, unit: 'mirrors', ours: found.mirrors, aim: { atMost: projects } },
      { name: `${name}: folders that nobody names`, unit: 'folders', ours: found.unnamed.length, aim: { atMost: 0 } },
      { name: `${name}: most resident memory`, unit: 'MB', ours: memoryMB, aim: { atMost: 400 } },
      {
        name: `${name}: the data volume`,
        unit: 'MB',
        ours: bytes / 1e6,
        floor: {
          what: 'clones, worktrees and copies by hand',
          value: (await measureByHand(folder, projects, count)) / 1e6,
        },
        aim: { atMost: 1.2, of: 'ratio' },
      },
    ]
  })
}

interface Found {
  readonly setups: number
  readonly mirrors: number
  /** Paths on the volume. */
  readonly unnamed: readonly string[]
}

/** What lies on the volume, beside what objects and marks name. */
async function look(data: string): Promise<Found> {
  const client = createClient(await loadKubeConfig({ kind: 'file', path: join(data, 'kubeconfig') }), CLIENT)
  const volume = join(data, 'volume')
  try {
    const executions = (await client.list(EXECUTIONS)).items
    const environments = (await client.list(PROJECTS)).items.flatMap(({ metadata: { uid = '' }, status }) =>
      (status?.environments ?? []).map(({ execution }) => `${ENVIRONMENTS_PATH}/${uid}/${execution}`),
    )
    const sandboxes = executions.flatMap(({ spec }) => spec.taskRef?.name ?? [])
    const owners = await Promise.all(
      sandboxes.map((name) => readFile(join(volume, SANDBOXES_PATH, `${name}.owner`), 'utf8')),
    )
    const keys = [...new Set(owners.flatMap((text) => parseOwner(text)?.mirror ?? []))]
    const named = new Set([
      ...executions.map(({ metadata }) => `${EXECUTIONS_PATH}/${metadata.name}`),
      ...[...sandboxes, ...executions.map(({ metadata }) => metadata.name)].map((name) => `${SANDBOXES_PATH}/${name}`),
      ...environments,
      ...keys.map((key) => `${REPOSITORIES_PATH}/${key}`),
    ])
    const there = await listAll(volume)
    const mirrors = await Promise.all(keys.map(async (key) => readdir(join(volume, mirrorsPath(key)))))
    return {
      setups: executions.filter(({ spec }) => spec.purpose === 'Prepare').length,
      mirrors: mirrors.flat().filter((entry) => /^\d+$/.test(entry)).length,
      unnamed: there.filter((path) => !named.has(path)),
    }
  } finally {
    await client.close()
  }
}

async function listAll(volume: string): Promise<string[]> {
  const namesIn = async (parent: string): Promise<string[]> =>
    (await readdir(join(volume, parent))).filter((name) => !name.endsWith('.owner')).map((name) => `${parent}/${name}`)
  const projects = await namesIn(ENVIRONMENTS_PATH)
  const parents = [EXECUTIONS_PATH, SANDBOXES_PATH, REPOSITORIES_PATH, ...projects]
  return (await Promise.all(parents.map(namesIn))).flat()
}

/** The bytes of one clone and one cache for each project, and of a worktree with a copy of the cache for each task. */
async function measureByHand(folder: string, projects: number, tasks: number): Promise<number> {
  const [clone, worktree] = [join(folder, 'by-hand'), join(folder, 'by-hand-worktree')]
  await run('git', ['clone', '--quiet', '--bare', '--no-hardlinks', '--', join(folder, 'project-0.git'), clone])
  await run('git', ['-C', clone, 'worktree', 'add', '--quiet', '--detach', worktree])
  const cache = join(folder, 'by-hand-cache')
  await mkdir(cache)
  await run('sh', ['-c', SETUP], { cwd: cache })
  const [cloned = 0, checkedOut = 0, cached = 0] = await measureFolders([clone, worktree, cache])
  return projects * (cloned + cached) + tasks * (checkedOut + cached)
}
