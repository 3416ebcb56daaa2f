import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectApi } from '../../core/rest/client/connect.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate, withFolder, withServer } from '../measure.ts'
import { cloneProject } from '../project.ts'

const run = promisify(execFile)

const FIRST_INSTRUCTION = 'echo "$EPOCHREALTIME"'

/** From the request to the first line of the script, and by hand: git clone, then bash. */
export async function measure({ repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const repository = join(folder, 'repository.git')
    await cloneProject(repository)
    const { ours, floor } = await withServer(join(folder, 'data'), async ({ url }) => {
      const api = connectApi({ url, fetch })
      await api.createProject({ body: { id: 'bench', name: 'bench', remote_url: repository } })
      return alternate(
        repeats,
        async () => (await firstInstruction(url, 'bench')).ms,
        () => firstInstructionByHand(repository, join(folder, 'by-hand')),
      )
    })
    return [
      {
        name: 'POST run → first instruction of the script',
        unit: 'ms',
        ours,
        floor: { what: 'git clone and bash by hand', value: floor },
        aim: { atMost: 2, of: 'ratio' },
      },
    ]
  })
}

/** Runs a new task of a project; the time from the request to the first line of its script. */
export async function firstInstruction(
  url: string,
  project: string,
): Promise<{ readonly task: string; readonly ms: number }> {
  const api = connectApi({ url, fetch })
  const body = { name: 'bench', project, agent: { type: 'script', instructions: FIRST_INSTRUCTION } }
  const { id } = await api.createTask({ body })
  const requestedAt = Date.now()
  await api.runTask({ params: { id } })
  let printed = Number.NaN
  const log = api.streamTaskLogs({ params: { id } }, { signal: AbortSignal.timeout(300_000) })
  for await (const { event, data } of log) {
    if (event === 'log' && data['stream'] === 'stdout') printed = Number(data['line']) * 1000
  }
  return { task: id, ms: printed - requestedAt }
}

async function firstInstructionByHand(repository: string, target: string): Promise<number> {
  const startedAt = Date.now()
  await run('git', ['clone', '--quiet', '--', repository, target])
  const { stdout } = await run('bash', ['-c', FIRST_INSTRUCTION], { cwd: target })
  await rm(target, { recursive: true, force: true })
  return Number(stdout) * 1000 - startedAt
}
