import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { executionPath, INBOX_FOLDER } from '../../core/execution/layout.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { TASKS } from '../../kube/resources.ts'
import { ifThere } from '../../lib/files.ts'
import { type Figure, median } from '../figure.ts'
import { type Effort, alternate, withFolder, withServer } from '../measure.ts'
import { cloneProject } from '../project.ts'

/** Fewer than may wait for an agent at once: this one takes none. */
const MESSAGES = 15

/** A message to an agent that works: from the request until it lies where the agent's step finds it. */
export async function measure({ repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const repository = join(folder, 'repository.git')
    await cloneProject(repository)
    const data = join(folder, 'data')
    return withServer(
      data,
      async ({ url }) => {
        const api = connectApi({ url, fetch })
        await api.createProject({ body: { id: 'bench', name: 'bench', remote_url: repository } })
        await api.createAgent({ body: { id: 'deaf', adapter: 'gemini', command: ['bash', '-c', 'sleep 600'] } })
        const config = await loadKubeConfig({ kind: 'file', path: join(data, 'kubeconfig') })
        const common = { userAgent: 'slipway-bench', fieldManager: 'slipway-bench', requestTimeoutMs: 60_000 }
        const client = createClient(config, common)
        let made = 0
        const { ours, floor } = await alternate(
          repeats,
          async () => {
            const id = `told-${(made += 1)}`
            const ms = await tellAgent(api, join(data, 'volume'), id)
            await api.cancelTask({ params: { id } })
            return ms
          },
          async () => {
            const times: number[] = []
            for (let i = 0; i < MESSAGES; i++) {
              const startedAt = performance.now()
              const metadata = { name: `bare-${(made += 1)}`, namespace: 'default' }
              await client.create(TASKS, {
                apiVersion: 'slipway.dev/v1alpha1',
                kind: 'Task',
                metadata,
                spec: { title: 'bench', description: 'Mind the gap.' },
              })
              await writeFile(join(folder, 'message.tmp'), 'Mind the gap.')
              await rename(join(folder, 'message.tmp'), join(folder, 'message'))
              times.push(performance.now() - startedAt)
            }
            return median(times)
          },
        )
        await client.close()
        return [
          {
            name: 'POST messages → the file that the agent’s step reads',
            unit: 'ms',
            ours,
            floor: { what: 'bare create on the same control plane, and a file', value: floor },
            aim: { atMost: 300 },
          },
        ]
      },
      ['--runtime', 'process'],
    )
  })
}

/** Messages to the agent of a new task, one after another: the median time until each is a file. */
async function tellAgent(api: ReturnType<typeof connectApi>, volume: string, id: string): Promise<number> {
  await api.createTask({ body: { id, name: 'bench', project: 'bench', description: 'x', agent: { type: 'deaf' } } })
  await api.runTask({ params: { id } })
  const inbox = join(volume, executionPath(`${id}-1`), INBOX_FOLDER)
  await until(async () => (await namesIn(join(volume, executionPath(`${id}-1`), 'agent'))).includes('stdout.log'))
  const times: number[] = []
  for (let i = 0; i < MESSAGES; i++) {
    const startedAt = performance.now()
    await api.messageTask({ params: { id }, body: { text: `Mind the gap, ${i}.` } })
    await until(async () => (await namesIn(inbox)).filter((name) => name.endsWith('.json')).length > i)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(1)
}

/** None while the folder is not there. */
async function namesIn(folder: string): Promise<string[]> {
  return (await ifThere(readdir(folder))) ?? []
}
