import { join } from 'node:path'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { TASKS } from '../../kube/resources.ts'
import { type Figure, median } from '../figure.ts'
import { type Effort, alternate, withFolder, withServer } from '../measure.ts'

/** So many of each kind in a turn, one after another over one kept connection. */
const CREATES = { full: 200, quick: 20 }
const SPEC = { agent: { type: 'script', instructions: 'true' }, description: 'A task of the bench. '.repeat(20) }

/** A task over REST, beside the same object created on the same control plane. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  return withFolder((folder) =>
    withServer(folder, async ({ url }) => {
      const api = connectApi({ url, fetch })
      const config = await loadKubeConfig({ kind: 'file', path: join(folder, 'kubeconfig') })
      const common = { userAgent: 'slipway-bench', fieldManager: 'slipway-bench', requestTimeoutMs: 60_000 }
      const client = createClient(config, common)
      let made = 0
      const viaRest = () => api.createTask({ body: { id: `rest-${(made += 1)}`, name: 'bench', ...SPEC } })
      const bare = () => createBare(client, `bare-${(made += 1)}`)
      // The first of each opens its connection and warms what it runs through.
      for (let i = 0; i < CREATES.quick; i++) await Promise.all([viaRest(), bare()])
      const { ours, floor } = await alternate(
        repeats,
        () => medianTime(CREATES[size], viaRest),
        () => medianTime(CREATES[size], bare),
      )
      await client.close()
      return [
        {
          name: 'POST /api/tasks, one client',
          unit: 'ms',
          ours,
          floor: { what: 'bare create on the same control plane', value: floor },
          aim: { atMost: 1.5, of: 'ratio' },
        },
      ]
    }),
  )
}

function createBare(client: ApiClient, name: string): Promise<unknown> {
  return client.create(TASKS, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: { name, namespace: 'default' },
    spec: { title: 'bench', ...SPEC },
  })
}

async function medianTime(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}
