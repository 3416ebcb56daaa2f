import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ENVIRONMENTS_PATH } from '../../core/execution/layout.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type Figure, median } from '../figure.ts'
import { makeLargeRepository } from '../large-repository.ts'
import { type Effort, withFolder, withServer } from '../measure.ts'
import { firstInstruction } from './first-instruction.ts'

const run = promisify(execFile)

/** What a setup leaves. */
const SIZES: Readonly<Record<Effort['size'], { readonly files: number; readonly fileBytes: number }>> = {
  full: { files: 20_000, fileBytes: 20_000 },
  quick: { files: 200, fileBytes: 2000 },
}

const MODES = ['read_only', 'copy'] as const

/** What it costs that an agent begins with what its project has prepared, beside the same project without. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const { files, fileBytes } = SIZES[size]
    const repository = join(folder, 'repository.git')
    await makeLargeRepository(repository, { commits: 1, files: 10, fileBytes: 100 })
    const data = join(folder, 'data')
    return withServer(data, async ({ url }) => {
      const api = connectApi({ url, fetch })
      // Folders of a hundred, as packages have them.
      const setup = `mkdir cache && cd cache && head -c ${files * fileBytes} /dev/urandom | split -a 6 -b ${fileBytes} - f && ls | awk '{ d = "d" int(NR / 100); if (d != o) { system("mkdir " d); o = d } print $0, d "/" $0 }' | xargs -n 2 mv`
      const projects = [
        { id: 'bare', environment: undefined },
        ...MODES.map((mode) => ({
          id: mode.replace('_', '-'),
          environment: { setup, cache: [{ path: 'cache', mode }] },
        })),
      ]
      for (const { id, environment } of projects) {
        await api.createProject({
          body: { id, name: id, remote_url: repository, ...(environment === undefined ? {} : { environment }) },
        })
        await firstInstruction(url, id)
      }
      const times: Record<string, number>[] = []
      for (let n = 0; n < repeats; n++) {
        const round: Record<string, number> = {
          copyByHand: await timeCopy(join(data, 'volume'), join(folder, `by-hand-${n}`)),
        }
        for (const { id } of projects) round[id] = (await firstInstruction(url, id)).ms
        times.push(round)
      }
      const secondsOf = (name: string): number => median(times.map((round) => round[name] ?? Number.NaN)) / 1000
      const bare = secondsOf('bare')
      const megabytes = Math.round((files * fileBytes) / 1e6)
      return [
        {
          name: `run with ${megabytes} MB prepared, ReadOnly → first instruction`,
          unit: 's',
          ours: secondsOf('read-only'),
          floor: { what: 'the same without an environment', value: bare },
          aim: { atMost: 0.5, of: 'difference' },
        },
        {
          name: `run with ${megabytes} MB prepared, Copy → first instruction`,
          unit: 's',
          ours: secondsOf('copy'),
          floor: { what: 'the same without an environment, and cp -a', value: bare + secondsOf('copyByHand') },
          aim: { atMost: 1.3, of: 'ratio' },
        },
      ]
    })
  })
}

/** One of the environments, copied by hand on the same disk. The copy stays, as a task's does: one that goes at once is never written. */
async function timeCopy(volume: string, target: string): Promise<number> {
  const place = join(volume, ENVIRONMENTS_PATH)
  const [project = ''] = await readdir(place)
  const [execution = ''] = await readdir(join(place, project))
  await mkdir(target)
  const startedAt = performance.now()
  await run('cp', ['-a', '--', `${join(place, project, execution, '0')}/.`, target])
  return performance.now() - startedAt
}
