import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type Figure, median } from '../figure.ts'
import { type Effort, withFolder, withServer } from '../measure.ts'
import { cloneProject } from '../project.ts'

const run = promisify(execFile)

/** What a check that does nothing adds to a task, beside the least that it takes: a fetch, a working tree, a container. */
export async function measure({ repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const repository = join(folder, 'repository.git')
    await cloneProject(repository)
    return withServer(join(folder, 'data'), async ({ url }) => {
      const api = connectApi({ url, fetch })
      const remote_url = repository
      await api.createProject({ body: { id: 'bare', name: 'bare', remote_url } })
      const checks = [{ name: 'nothing', run: 'true' }]
      await api.createProject({ body: { id: 'checked', name: 'checked', remote_url, checks } })
      const clone = join(folder, 'clone')
      await run('git', ['clone', '--quiet', '--', repository, clone])
      const rounds: { readonly bare: number; readonly checked: number; readonly byHand: number }[] = []
      for (let n = 0; n < repeats; n++) {
        const bare = await timeWork(api, 'bare')
        const checked = await timeWork(api, 'checked')
        rounds.push({ bare, checked, byHand: await timeByHand(clone, join(folder, `tree-${n}`)) })
      }
      const bare = median(rounds.map((round) => round.bare))
      return [
        { name: 'run → READY of a script, without checks', unit: 'ms', ours: bare },
        {
          name: 'what a check that does nothing adds',
          unit: 'ms',
          ours: median(rounds.map((round) => round.checked - round.bare)),
          floor: { what: 'git fetch, git worktree add, bwrap', value: median(rounds.map((round) => round.byHand)) },
          aim: { atMost: 2, of: 'ratio' },
        },
      ]
    })
  })
}

/** From the request until a person may review the work of a script that writes one file. */
async function timeWork(api: ReturnType<typeof connectApi>, project: string): Promise<number> {
  const agent = { type: 'script', instructions: 'date +%N > bench.txt' }
  const { id } = await api.createTask({ body: { name: 'bench', project, agent } })
  const startedAt = performance.now()
  await api.runTask({ params: { id } })
  for (;;) {
    const { state, error = '' } = await api.getTask({ params: { id } })
    if (state === 'READY') return performance.now() - startedAt
    if (state !== 'QUEUED' && state !== 'RUNNING') throw new Error(`${id} is ${state}: ${error}`)
    await sleep(5)
  }
}

async function timeByHand(clone: string, tree: string): Promise<number> {
  const startedAt = performance.now()
  await run('git', ['-C', clone, 'fetch', '--quiet', 'origin'])
  await run('git', ['-C', clone, 'worktree', 'add', '--quiet', '--detach', tree, 'origin/main'])
  await run('bwrap', [
    '--ro-bind',
    '/',
    '/',
    '--bind',
    tree,
    tree,
    '--unshare-pid',
    '--chdir',
    tree,
    'bash',
    '-c',
    'true',
  ])
  return performance.now() - startedAt
}
