import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clonePath, REPOSITORIES_PATH, SANDBOXES_PATH } from '../../core/execution/layout.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type Figure, median } from '../figure.ts'
import { type RepositorySize, makeLargeRepository } from '../large-repository.ts'
import { type Effort, withFolder, withServer } from '../measure.ts'
import { firstInstruction } from './first-instruction.ts'

const run = promisify(execFile)

/** The repository, and how many tasks stay. */
const SIZES: Readonly<Record<Effort['size'], RepositorySize & { readonly kept: number }>> = {
  full: { commits: 20_000, files: 8000, fileBytes: 29_000, kept: 50 },
  quick: { commits: 300, files: 200, fileBytes: 2000, kept: 5 },
}

const MB = 1e6

/** What a task's workspace costs on a large repository, beside a worktree of a clone that is there. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const { kept, ...repository } = SIZES[size]
    const [large, small] = [join(folder, 'large.git'), join(folder, 'small.git')]
    await makeLargeRepository(large, repository)
    await makeLargeRepository(small, { commits: 1, files: 1, fileBytes: 10 })
    const clone = join(folder, 'clone')
    await run('git', ['clone', '--quiet', '--no-checkout', '--', large, clone])
    const data = join(folder, 'data')
    const volume = join(data, 'volume')
    return withServer(data, async ({ url }) => {
      const api = connectApi({ url, fetch })
      await api.createProject({ body: { id: 'large', name: 'large', remote_url: large } })
      await api.createProject({ body: { id: 'small', name: 'small', remote_url: small } })
      const first = await firstInstruction(url, 'large')
      await firstInstruction(url, 'small')
      const times: { readonly ours: number; readonly worktree: number; readonly start: number }[] = []
      for (let n = 0; n < repeats; n++) {
        const { ms: ours } = await firstInstruction(url, 'large')
        times.push({
          ours,
          worktree: await timeWorktree(clone, folder),
          start: (await firstInstruction(url, 'small')).ms,
        })
      }
      const floor = median(times.map(({ worktree, start }) => worktree + start))
      const git = await diskBytes(join(volume, clonePath(first.task), '.git'))
      return [
        {
          name: 'first run on a large repository → first instruction',
          unit: 's',
          ours: first.ms / 1000,
          floor: { what: 'a clone of it by hand', value: (await timeClone(large, folder)) / 1000 },
        },
        {
          name: 'second run on it → first instruction',
          unit: 's',
          ours: median(times.map(({ ours }) => ours)) / 1000,
          floor: { what: 'git worktree add, and a run on a repository of one file', value: floor / 1000 },
          aim: { atMost: 1.3, of: 'ratio' },
        },
        { name: '.git of a task on it', unit: 'MB', ours: git / MB, aim: { atMost: 5 } },
        await keptFigure({ url, volume, clone, folder, kept, made: repeats + 1 }),
      ]
    })
  })
}

interface Kept {
  readonly url: string
  /** The data volume. */
  readonly volume: string
  readonly clone: string
  readonly folder: string
  /** How many tasks are to stay, and how many there are already. */
  readonly kept: number
  readonly made: number
}

/** What tasks that wait for a person take on the disk, mirror included. */
async function keptFigure({ url, volume, clone, folder, kept, made }: Kept): Promise<Figure> {
  for (let n = made; n < kept; n++) await firstInstruction(url, 'large')
  const tasks = Math.max(kept, made)
  const place = join(folder, 'worktrees')
  for (let n = 0; n < tasks; n++) await run('git', ['-C', clone, 'worktree', 'add', '--quiet', join(place, String(n))])
  const ours = (await diskBytes(join(volume, SANDBOXES_PATH))) + (await diskBytes(join(volume, REPOSITORIES_PATH)))
  const floor = (await diskBytes(place)) + (await diskBytes(clone))
  return {
    name: `disk of ${tasks} tasks on it that wait for a person`,
    unit: 'MB',
    ours: ours / MB,
    floor: { what: 'as many worktrees, and their clone', value: floor / MB },
    aim: { atMost: 1.2, of: 'ratio' },
  }
}

async function timeWorktree(clone: string, folder: string): Promise<number> {
  const place = join(folder, 'worktree')
  const startedAt = performance.now()
  await run('git', ['-C', clone, 'worktree', 'add', '--quiet', '--detach', place, 'origin/main'])
  const ms = performance.now() - startedAt
  await run('git', ['-C', clone, 'worktree', 'remove', '--force', place])
  return ms
}

async function timeClone(repository: string, folder: string): Promise<number> {
  const place = join(folder, 'by-hand')
  const startedAt = performance.now()
  await run('git', ['clone', '--quiet', '--no-local', '--', repository, place])
  const ms = performance.now() - startedAt
  await rm(place, { recursive: true })
  return ms
}

async function diskBytes(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-s', '--block-size=1', '--', folder])
  return Number.parseInt(stdout, 10)
}
