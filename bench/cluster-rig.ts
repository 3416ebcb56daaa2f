/** A release on the cluster of KUBECONFIG, installed as test/e2e/install does it, and what happens to its objects. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageFolder } from '../cli/installation.ts'
import type { Pod } from '../kube/builtin.ts'
import { type ApiClient, createClient } from '../kube/client.ts'
import { loadKubeConfig } from '../kube/config.ts'
import type { KubeObject, Resource, WatchOptions } from '../kube/types.ts'

const run = promisify(execFile)
const DEADLINE_MS = 120_000

export interface Cluster {
  readonly client: ApiClient
  /** The image of Slipway. */
  readonly image: string
}

/** The cluster that the environment names; undefined where it names none. */
export async function findCluster(): Promise<Cluster | undefined> {
  const { KUBECONFIG: kubeconfig = '', SLIPWAY_E2E_IMAGE: image = '' } = process.env
  if (kubeconfig === '' || image === '') return undefined
  const config = await loadKubeConfig({ kind: 'file', path: kubeconfig })
  const client = createClient(config, {
    userAgent: 'slipway-bench',
    fieldManager: 'slipway-bench',
    requestTimeoutMs: 30_000,
  })
  return { client, image }
}

/** A name that nothing on the cluster has. */
export function newName(): string {
  return `bench-${randomBytes(4).toString('hex')}`
}

/** Runs a program to its end. */
export async function command(program: string, ...args: readonly string[]): Promise<void> {
  await run(program, args, { cwd: packageFolder() })
}

/** Installs a release, with a git server, in a namespace of its own, which goes afterwards. */
export async function withRelease<T>(use: (namespace: string, installMs: number) => Promise<T>): Promise<T> {
  const namespace = newName()
  try {
    const startedAt = performance.now()
    await command(join(packageFolder(), 'test/e2e/install'), namespace)
    return await use(namespace, performance.now() - startedAt)
  } finally {
    await command('helm', 'uninstall', 'slipway', '--namespace', namespace, '--ignore-not-found').catch(complain)
    await command('kubectl', 'delete', 'namespace', namespace, '--ignore-not-found').catch(complain)
  }
}

/** What could not be taken down must be seen, and is no reason to lose the figures. */
function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

/**
 * Does `act`, and waits on a watch from just before for an object of which `isWanted` is true.
 *
 * @returns the milliseconds from the start of `act` to the event
 * @throws Error after two minutes
 */
export async function timeUntil<T extends KubeObject>(
  client: ApiClient,
  resource: Resource<T>,
  query: Omit<WatchOptions, 'resourceVersion'>,
  isWanted: (object: T) => boolean,
  act: () => Promise<unknown>,
): Promise<number> {
  const { resourceVersion } = await client.list(resource, query)
  const ending = new AbortController()
  const deadline = AbortSignal.any([ending.signal, AbortSignal.timeout(DEADLINE_MS)])
  const watching = client.watch(resource, { ...query, resourceVersion }, deadline)
  const seen = (async () => {
    for await (const event of watching) {
      if ((event.type === 'ADDED' || event.type === 'MODIFIED') && isWanted(event.object)) return performance.now()
    }
    throw new Error(`no such ${resource.kind} within ${DEADLINE_MS / 1000} s: ${JSON.stringify(query)}`)
  })()
  try {
    const startedAt = performance.now()
    await act()
    return (await seen) - startedAt
  } finally {
    ending.abort()
  }
}

/** Whether a container of the pod runs, or has run. */
export function hasStarted({ status }: Pod): boolean {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  return containers.some(({ state }) => state?.running !== undefined || state?.terminated !== undefined)
}
