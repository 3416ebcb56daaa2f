/** What the installation and the Agent say of a pod, put together (specification §7.6). */
import type { Agent } from '../../core/crd/types.ts'
import type { ExecutionContainer, ExecutionPods } from '../../core/execution/pod-settings.ts'
import { parseQuantity } from '../../core/quantity.ts'
import { AUTHORITIES_VARIABLE } from '../../core/execution/steps.ts'
import type { Container, EnvVar, PodSpec } from '../../kube/builtin.ts'

/** PodSecurity `restricted`, and more (specification §7.6). */
export const HARDENED = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
} as const

/** User, group and owner of volumes where the installation names no other. */
const DEFAULT_USER = 10001

/**
 * @param embedded on a machine of one's own the node runs everything as the user that started it
 * @param pods `runAsUser` null leaves user and group to the platform, which must choose one that is not root
 */
export function podSecurity({
  embedded,
  pods,
}: {
  readonly embedded: boolean
  readonly pods: ExecutionPods
}): NonNullable<PodSpec['securityContext']> {
  const seccompProfile = { type: 'RuntimeDefault' } as const
  if (embedded) return { seccompProfile }
  const { runAsUser = DEFAULT_USER } = pods
  const hardened = { runAsNonRoot: true, fsGroupChangePolicy: 'OnRootMismatch', seccompProfile } as const
  return runAsUser === null ? hardened : { runAsUser, runAsGroup: runAsUser, fsGroup: runAsUser, ...hardened }
}

/**
 * Nodes, priority and registries of a pod. The Agent may choose among the nodes that the installation leaves it: of node
 * selector and affinity the installation wins key by key, because its pod affinity may keep all pods on the node of a
 * ReadWriteOnce volume. Of priority what the Agent says counts alone. Registries are added: the installation's are those of
 * our own image, which prepare and deliver run.
 */
export function buildPlacement(
  pods: ExecutionPods,
  agent: Agent | undefined,
): Pick<
  PodSpec,
  'nodeSelector' | 'tolerations' | 'affinity' | 'runtimeClassName' | 'priorityClassName' | 'imagePullSecrets'
> {
  const { podTemplate } = agent?.spec ?? {}
  const nodeSelector = { ...podTemplate?.nodeSelector, ...pods.nodeSelector }
  const tolerations = [...(podTemplate?.tolerations ?? []), ...(pods.tolerations ?? [])]
  const affinity = { ...podTemplate?.affinity, ...pods.affinity }
  const { runtimeClassName, priorityClassName = pods.priorityClassName } = podTemplate ?? {}
  const own = podTemplate?.imagePullSecrets?.flatMap(({ name }) => name ?? []) ?? []
  const named = [...new Set([...own, ...(pods.imagePullSecrets ?? [])])]
  return {
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(tolerations.length === 0 ? {} : { tolerations }),
    ...(Object.keys(affinity).length === 0 ? {} : { affinity }),
    ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
    ...(priorityClassName === undefined ? {} : { priorityClassName }),
    ...(named.length === 0 ? {} : { imagePullSecrets: named.map((name) => ({ name })) }),
  }
}

/** The file of `caBundle` in its folder. */
export const AUTHORITIES_FILE = 'ca.crt'

/**
 * Variables of every step. Kubernetes would read `$(NAME)` and `$$` in a value as its own.
 *
 * @param folder of the certificates of `caBundle`
 */
export function podVariables({ env = [], caBundle }: ExecutionPods, folder: string): EnvVar[] {
  const given = env.map(({ name, value }) => ({ name, value: value.replaceAll('$', '$$$$') }))
  const file = { name: AUTHORITIES_VARIABLE, value: `${folder}/${AUTHORITIES_FILE}` }
  return caBundle === undefined ? given : [...given, file]
}

/** Names of variables that reach an agent's program, too. */
export function passedPodVariables(pods: ExecutionPods): string[] {
  return podVariables(pods, '').map(({ name }) => name)
}

/** Keys that the operator, the chart (`app.kubernetes.io/…`) and the Job controller select pods by. */
const RESERVED_LABEL =
  /^(slipway\.dev\/|batch\.kubernetes\.io\/|(app\.kubernetes\.io\/(name|instance|component)|job-name|controller-uid)$)/

/**
 * Labels of the installation, and of the Agent, which win, without those that pods are selected by: with them an agent's
 * pod would count among the pods of a Service or a budget, or would keep others from the node of the volume.
 */
export function podLabels(pods: ExecutionPods, agent: Agent | undefined): Record<string, string> {
  const own = Object.entries(agent?.spec.podTemplate?.labels ?? {}).filter(([key]) => !RESERVED_LABEL.test(key))
  return { ...pods.labels, ...Object.fromEntries(own) }
}

/**
 * Requests and limits of one container, amount by amount; the agent's step takes those of its Agent first. Where the Agent
 * names only one of the two and the installation's other one contradicts it, that follows: a pod that requests more than
 * its limit is refused.
 */
export function resourcesOf(
  pods: ExecutionPods,
  container: ExecutionContainer,
  agent: Agent | undefined,
): Pick<Container, 'resources'> {
  const own = container === 'agent' ? agent?.spec.podTemplate?.resources : undefined
  const usual = pods.resources?.[container]
  const requests = toQuantities({ ...usual?.requests, ...atMost(usual?.requests, own?.limits), ...own?.requests })
  const limits = toQuantities({ ...usual?.limits, ...atLeast(usual?.limits, own?.requests), ...own?.limits })
  const resources = { ...(requests && { requests }), ...(limits && { limits }) }
  return Object.keys(resources).length === 0 ? {} : { resources }
}

type Amounts = Readonly<Record<string, number | string>>

/** The limits that are below a request that is also given. */
function atMost(requests: Amounts = {}, limits: Amounts = {}): Amounts {
  return Object.fromEntries(Object.entries(limits).filter(([name, limit]) => isMore(requests[name], limit)))
}

/** The requests that are above a limit that is also given. */
function atLeast(limits: Amounts = {}, requests: Amounts = {}): Amounts {
  return Object.fromEntries(Object.entries(requests).filter(([name, request]) => isMore(request, limits[name])))
}

/** False where an amount is absent or unreadable: the API server says then what is wrong with it. */
function isMore(one: number | string | undefined, other: number | string | undefined): boolean {
  const [a, b] = [one, other].map((amount) => (amount === undefined ? undefined : parseQuantity(String(amount))))
  return a !== undefined && b !== undefined && a > b
}

/** Amounts may be numbers in YAML and are strings in a Pod; undefined for none. */
export function toQuantities(amounts: Amounts): Record<string, string> | undefined {
  const entries = Object.entries(amounts).map(([name, amount]) => [name, String(amount)] as const)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
