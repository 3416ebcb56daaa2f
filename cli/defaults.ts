/** What every installation starts with: CRDs, the namespace and the Agents. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { LABELS, MANAGED_BY } from '../core/names.ts'
import { withoutAbsent } from '../core/omit.ts'
import { AGENTS, CRDS, NAMESPACES } from '../kube/resources.ts'
import {
  type KubeClient,
  type KubeObject,
  type Resource,
  isAlreadyExists,
  isNotFound,
  isUndefinedKind,
} from '../kube/types.ts'
import { delay, systemClock } from '../lib/clock.ts'
import { packageFolder } from './installation.ts'

const CRD_CHART = 'slipway-crds'
const OURS = { [LABELS.managedBy]: MANAGED_BY }

/** Creates the namespace and the Agents if they are missing; changes by people stay. */
export async function ensureDefaults(client: KubeClient, namespace: string): Promise<void> {
  await ensureNamespace(client, namespace)
  await ensureAgents(client, namespace)
}

/** Creates the namespace if it is missing. */
export async function ensureNamespace(client: KubeClient, namespace: string): Promise<void> {
  await createIfAbsent(client, NAMESPACES, { metadata: { name: namespace } })
}

/**
 * Creates the Agents that are missing; those that exist are somebody's, and stay as they are.
 *
 * @param allowedImages of each (Agent.spec.allowedImages); absent: any
 * @throws Error that names the chart of the definitions where the cluster has none
 */
export async function ensureAgents(
  client: KubeClient,
  namespace: string,
  allowedImages?: readonly string[],
): Promise<void> {
  type Manifest = KubeObject & { readonly spec?: object }
  const create = (agent: Manifest): Promise<void> => {
    const metadata = { ...agent.metadata, namespace, labels: OURS }
    const made: Manifest = { ...agent, metadata, spec: { ...agent.spec, ...withoutAbsent({ allowedImages }) } }
    return createIfAbsent(client, AGENTS, made)
  }
  try {
    await Promise.all(readDefaultAgents().filter(isManifest).map(create))
  } catch (error) {
    if (!isUndefinedKind(error)) throw error
    throw new Error(`the cluster does not know the kinds of Slipway: install the chart ${CRD_CHART}`, { cause: error })
  }
}

/** The Agents that every installation starts with, as parsed objects; the chart ships the same file. */
function readDefaultAgents(): unknown[] {
  const text = readFileSync(join(packageFolder(), 'charts', 'slipway', 'files', 'agents.yaml'), 'utf8')
  return parseAllDocuments(text).map((document): unknown => document.toJS())
}

/**
 * Creates our CRDs, or brings older ones up to date, and waits until their objects can be stored. Those of the chart stay
 * as they are: other namespaces depend on them too, and this program may be the older one.
 */
export async function ensureCrds(client: KubeClient, crds: readonly unknown[]): Promise<void> {
  for (const crd of crds.filter(isManifest)) {
    const found = await client.find(CRDS, { name: crd.metadata.name })
    const { labels, resourceVersion } = found?.metadata ?? {}
    if (labels?.['app.kubernetes.io/name'] === CRD_CHART) continue
    if (resourceVersion === undefined) await createIfAbsent(client, CRDS, crd)
    else await client.replace<KubeObject>(CRDS, { ...crd, metadata: { ...crd.metadata, resourceVersion } })
  }
  await untilServed(client)
}

const SERVED_DEADLINE_MS = 15_000

/** A new CRD answers 404, then 429, for about a second. */
async function untilServed(client: KubeClient): Promise<void> {
  const deadline = systemClock.now().getTime() + SERVED_DEADLINE_MS
  for (;;) {
    try {
      await client.list(AGENTS, { limit: 1 })
      return
    } catch (error) {
      if (!(isNotFound(error) || isUndefinedKind(error)) || systemClock.now().getTime() > deadline) throw error
      await delay(systemClock, 200)
    }
  }
}

async function createIfAbsent(client: KubeClient, resource: Resource<KubeObject>, object: KubeObject): Promise<void> {
  try {
    await client.create(resource, object)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

function isManifest(value: unknown): value is KubeObject {
  return typeof value === 'object' && value !== null && 'metadata' in value && 'kind' in value
}
