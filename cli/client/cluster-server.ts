/** Finds Slipway's API server in a namespace of a cluster: a ready pod of its Service, and the Secret with its token. */
import type { KeySelector, Pod, Service } from '../../kube/builtin.ts'
import { PODS, NAMESPACES, SECRETS, SERVICES } from '../../kube/resources.ts'
import { type KubeClient, isForbidden, isNotFound, isUnreachable, KubeError } from '../../kube/types.ts'
import { causeOf, ServerUnreachable, TOKEN_HINT } from './session.ts'

const SERVICE = 'slipway-api-server'
const TOKEN_VARIABLE = 'SLIPWAY_TOKEN'
const OR_ANOTHER_SERVER = 'name a server that can be reached without it: --server or SLIPWAY_SERVER'

/** The namespace that a command is about, and for messages how the user named the cluster. */
export interface Place {
  readonly client: KubeClient
  readonly namespace: string
  readonly context: string
  /** URL of the Kubernetes API. */
  readonly cluster: string
}

/** One pod that serves, and the port on which it does. */
export interface Target {
  readonly pod: Pod
  readonly port: number
}

/** How messages name the API server of a namespace. */
export function formatServer({ namespace, context }: Place): string {
  return `${SERVICE}.${namespace} (context ${JSON.stringify(context)})`
}

/**
 * Finds a ready pod of the Service, as `kubectl port-forward service/…` does: of several the first by name.
 *
 * @throws ServerUnreachable that says why there is none, and what to do
 */
export async function findTarget(place: Place, signal: AbortSignal): Promise<Target> {
  const { client, namespace } = place
  const service = await findService(place, signal)
  const labels = Object.entries(service.spec?.selector ?? {})
  if (labels.length === 0)
    throw new ServerUnreachable(`Service ${SERVICE} in namespace ${namespace} selects no pods: ${OR_ANOTHER_SERVER}`, {
      isPassing: false,
    })
  const labelSelector = labels.map(([name, value]) => `${name}=${value}`).join(',')
  const { items } = await client.list(PODS, { namespace, labelSelector }, { signal }).catch((error: unknown) => {
    throw explain(error, place, 'list pods')
  })
  const targets = items.filter(isReady).flatMap((pod) => toTarget(service, pod) ?? [])
  const [first] = targets.toSorted((a, b) => (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1))
  if (first !== undefined) return first
  throw new ServerUnreachable(
    `no pod of Service ${SERVICE} in namespace ${namespace} is ready. See: kubectl -n ${namespace} get pods -l ${labelSelector}`,
  )
}

async function findService(place: Place, signal: AbortSignal): Promise<Service> {
  const { client, namespace, context } = place
  try {
    return await client.get(SERVICES, { namespace, name: SERVICE }, { signal })
  } catch (error) {
    // Slipway's own control plane knows no Services: a 404 that is no NotFound.
    if (!(error instanceof KubeError) || error.status !== 404) throw explain(error, place, `get Service ${SERVICE}`)
    const what = (await isNamespaceMissing(place, signal))
      ? `there is no namespace ${namespace} in the cluster of context ${JSON.stringify(context)}`
      : `there is no Slipway in namespace ${namespace} of context ${JSON.stringify(context)} (no Service ${SERVICE})`
    throw new ServerUnreachable(
      `${what}: name the one of Slipway with -n. Find it with: kubectl get services -A --field-selector metadata.name=${SERVICE}`,
      { cause: error, isPassing: false },
    )
  }
}

/** False as well for who may not know. */
async function isNamespaceMissing({ client, namespace }: Place, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.find(NAMESPACES, { name: namespace }, { signal })) === undefined
  } catch (error) {
    if (error instanceof KubeError) return false
    throw error
  }
}

function isReady({ metadata, status }: Pod): boolean {
  const isServing = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
  return isServing && metadata.deletionTimestamp === undefined
}

function toTarget({ spec }: Service, pod: Pod): Target | undefined {
  const served = spec?.ports?.find(({ name }) => name === 'http') ?? spec?.ports?.[0]
  const wanted = served?.targetPort ?? served?.port
  const port =
    typeof wanted === 'string'
      ? pod.spec.containers.flatMap(({ ports = [] }) => ports).find(({ name }) => name === wanted)?.containerPort
      : wanted
  return port === undefined ? undefined : { pod, port }
}

export interface FoundToken {
  readonly token?: string
  /** What to do if the server does not accept it, or asks for one. */
  readonly hint: string
}

/**
 * Finds the token of the API server for who may read it: the pod names the Secret that it has its own from. So it is only
 * ever sent to a pod that has it already.
 */
export async function findToken(place: Place, { pod }: Target, signal: AbortSignal): Promise<FoundToken> {
  const { client, namespace, context } = place
  const reference = tokenReference(pod)
  if (reference === undefined) return { hint: TOKEN_HINT }
  const { name, key } = reference
  try {
    const secret = await client.get(SECRETS, { namespace, name }, { signal })
    const token = Buffer.from(secret.data?.[key] ?? '', 'base64')
      .toString()
      .trim()
    if (token === '') return { hint: `${TOKEN_HINT}; Secret ${name} has no key ${key}` }
    return { token, hint: `it does not know the one in Secret ${name}, which may be newer than its pods` }
  } catch (error) {
    if (!isForbidden(error) && !isNotFound(error)) throw explain(error, place, `get Secret ${name}`)
    if (isNotFound(error)) return { hint: `${TOKEN_HINT}; it had its own from Secret ${name}, which does not exist` }
    const command = `kubectl -n ${namespace} get secret ${name} -o go-template='{{index .data "${key}" | base64decode}}'`
    const user = `context ${JSON.stringify(context)}`
    return {
      hint: `${TOKEN_HINT}. It has its own from Secret ${name}, which ${user} may not read; who may, reads it with: ${command}`,
    }
  }
}

function tokenReference({ spec }: Pod): KeySelector | undefined {
  const variables = spec.containers.flatMap(({ env = [] }) => env)
  return variables.find(({ name }) => name === TOKEN_VARIABLE)?.valueFrom?.secretKeyRef
}

/** An error of the Kubernetes API, for a user who wanted to do `what` there. */
export function explain(error: unknown, { cluster, namespace, context }: Place, what: string): unknown {
  const user = `context ${JSON.stringify(context)}`
  const say = (message: string, isPassing: boolean) => new ServerUnreachable(message, { cause: error, isPassing })
  if (isForbidden(error))
    return say(
      `${user} may not ${what} in namespace ${namespace}: ${error.message}. Choose another namespace with -n, ask for the role in docs/cli.md, or ${OR_ANOTHER_SERVER}`,
      false,
    )
  if (error instanceof KubeError && error.status === 401)
    return say(
      `the cluster at ${cluster} does not accept the login of ${user}: log in again, or choose another --context`,
      false,
    )
  if (error instanceof KubeError) return say(`cannot ${what} in the cluster at ${cluster}: ${error.message}`, true)
  return say(
    `the cluster at ${cluster}, of ${user}, cannot be reached (${causeOf(error)}): check the network, or choose another --context`,
    isUnreachable(error),
  )
}
