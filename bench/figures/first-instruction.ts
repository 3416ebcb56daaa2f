import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { asRecord, createRestClient } from '../../cli/client.ts'
import { makeDemoRepository } from '../../cli/demo/repository.ts'
import { packageFolder } from '../../cli/installation.ts'
import type { Figure } from '../figure.ts'
import type { Effort } from '../measure.ts'
import { alternate, withFolder, withServer } from '../measure.ts'

const run = promisify(execFile)

const FIRST_INSTRUCTION = 'echo "$EPOCHREALTIME"'

/** From the request to the first line of the script, and by hand: git clone, then bash. */
export async function measure({ repeats }: Effort): Promise<Figure[]> {
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
