import { join } from 'node:path'
import { loadKubeConfig } from '../../kube/config.ts'
import { type LoginSource, createCredentials, currentCluster } from '../../kube/credentials.ts'
import { collectionPath, withQuery } from '../../kube/paths.ts'
import { TASKS } from '../../kube/resources.ts'
import { type ApiRequest, createTransport } from '../../kube/transport.ts'
import { systemClock } from '../../lib/clock.ts'
import { type Figure, median } from '../figure.ts'
import { type Effort, alternate, withFolder, withServer } from '../measure.ts'

/** So many of each kind in a turn, one after another over one kept connection. */
const CREATES = { full: 200, quick: 20 }
const CLIENT = 'slipway-bench'
const NAMESPACE = 'default'
const SPEC = { agent: { type: 'script', instructions: 'true' }, description: 'A task of the bench. '.repeat(20) }

/** A task over REST, beside the same object created on the same control plane; both are sent by the same client. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  return withFolder((folder) =>
    withServer(folder, async ({ url }) => {
      const rest = senderTo({
        getCurrentContext: () => CLIENT,
        getCurrentCluster: () => ({ server: url }),
        applyToHTTPSOptions: () => Promise.resolve(),
      })
      const kubernetes = senderTo(await loadKubeConfig({ kind: 'file', path: join(folder, 'kubeconfig') }))
      let made = 0
      const viaRest = () => rest.send(asRest(`rest-${(made += 1)}`))
      const bare = () => kubernetes.send(asObject(`bare-${(made += 1)}`))
      // The first of each opens its connection and warms what it runs through.
      for (let i = 0; i < CREATES.quick; i++) await Promise.all([viaRest(), bare()])
      const { ours, floor } = await alternate(
        repeats,
        () => medianTime(CREATES[size], viaRest),
        () => medianTime(CREATES[size], bare),
      )
      await Promise.all([rest.close(), kubernetes.close()])
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

function asRest(id: string): ApiRequest {
  return { method: 'POST', path: '/api/tasks', body: { id, name: 'bench', ...SPEC } }
}

function asObject(name: string): ApiRequest {
  const body = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: { name, namespace: NAMESPACE },
    spec: { title: 'bench', ...SPEC },
  }
  return { method: 'POST', path: withQuery(collectionPath(TASKS, NAMESPACE), { fieldManager: CLIENT }), body }
}

/** The client of the operator over kept connections, which sends to either. */
function senderTo(source: LoginSource): { send(what: ApiRequest): Promise<string>; close(): Promise<void> } {
  const credentials = createCredentials(source, systemClock)
  const { server } = currentCluster(source)
  const transport = createTransport({
    server,
    credentials,
    userAgent: CLIENT,
    requestTimeoutMs: 60_000,
    clock: systemClock,
  })
  return { send: (what) => transport.send(what), close: () => credentials.close() }
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
