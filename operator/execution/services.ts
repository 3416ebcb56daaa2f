/** The services of a project beside an agent: native sidecars of the execution's pod (Kubernetes, "Sidecar Containers"; specification §7.18). */
import type { Execution, ServiceRestarts, Project, ProjectService } from '../../core/crd/types.ts'
import type { ServiceFacts } from '../../core/execution/outcome.ts'
import { findService, serviceContainer } from '../../core/execution/services.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { Container, ContainerStatus, EnvVar, Pod, Probe } from '../../kube/builtin.ts'
import type { Action } from '../action.ts'
import { HARDENED, toQuantities } from './pod-template.ts'

/** Looked at each second for as long as a pod may take to start; then the kubelet starts the service again. */
const READY_LIMIT_SECONDS = 600

/** All services of a project share the pod's network. */
const HOST = '127.0.0.1'

/** The containers that run from before the agent until the pod ends. They mount nothing and are given no credentials. */
export function buildServices(services: readonly ProjectService[]): Container[] {
  return services.map(({ name, image, command, args, env, ports, ready, resources }) => {
    const requests = toQuantities(resources?.requests ?? {})
    const limits = toQuantities(resources?.limits ?? {})
    return {
      name: serviceContainer(name),
      image,
      imagePullPolicy: 'IfNotPresent',
      restartPolicy: 'Always',
      ...withoutAbsent({ command, args, env, startupProbe: probeOf(ready, ports) }),
      ...(ports && { ports: ports.map((containerPort) => ({ containerPort })) }),
      ...(resources && { resources: withoutAbsent({ requests, limits }) }),
      securityContext: HARDENED,
      terminationMessagePolicy: 'FallbackToLogsOnError',
    }
  })
}

function probeOf(ready: ProjectService['ready'], [first]: readonly number[] = []): Probe | undefined {
  const port = ready?.tcp ?? first
  const way = ready?.exec === undefined ? port && { tcpSocket: { port } } : { exec: { command: ready.exec } }
  return way ? { ...way, periodSeconds: 1, failureThreshold: READY_LIMIT_SECONDS } : undefined
}

/** How the agent finds them: SERVICE_<NAME>_HOST, and SERVICE_<NAME>_PORT of those that have a port. */
export function serviceVariables(services: readonly ProjectService[]): EnvVar[] {
  return services.flatMap(({ name, ports: [port] = [] }) => {
    const variable = `SERVICE_${name.toUpperCase().replaceAll('-', '_')}`
    return [
      { name: `${variable}_HOST`, value: HOST },
      ...(port === undefined ? [] : [{ name: `${variable}_PORT`, value: String(port) }]),
    ]
  })
}

export function readServices({ spec, status }: Pod): ServiceFacts[] {
  return (spec.initContainers ?? []).flatMap(({ name: container, image }) => {
    const name = findService(container)
    const found = status?.initContainerStatuses?.find((one) => one.name === container)
    return name === undefined ? [] : [{ name, image, ...readStatus(found) }]
  })
}

/** To be done while the pod is there, of an execution that ends. */
export function keepLogs({
  execution,
  pod,
}: {
  readonly execution: Execution
  readonly pod: Pod | undefined
}): Action[] {
  const hasServices = pod !== undefined && readServices(pod).length > 0
  return hasServices ? [{ kind: 'keepServiceLogs', execution: execution.metadata.name, pod }] : []
}

function readStatus(status: ContainerStatus | undefined): Omit<ServiceFacts, 'name' | 'image'> {
  const { waiting, terminated } = status?.state ?? {}
  const ended = terminated ?? status?.lastState?.terminated
  return {
    isStarted: status?.started === true,
    restarts: status?.restartCount ?? 0,
    reason: ended?.reason ?? waiting?.reason,
    words: waiting?.message ?? ended?.message,
  }
}

/** Of those that are told on the execution: whatever has ended although its pod goes on. */
export function servicesOf(services: readonly ServiceFacts[]): ServiceRestarts[] {
  return services
    .filter(({ restarts }) => restarts > 0)
    .map(({ name, restarts, reason }) => ({ name, restarts, ...withoutAbsent({ reason }) }))
}

/** Why executions of a project cannot run, in this installation or at all; undefined when they can. */
export function servicesProblem(project: Project | undefined, isEmbedded: boolean): string | undefined {
  const { services = [] } = project?.spec ?? {}
  const name = project?.metadata.name ?? ''
  if (services.length > 0 && isEmbedded)
    return `project ${name} has services (${services.map((one) => one.name).join(', ')}), which run in a cluster only: on one machine all sandboxes share its network, where the services of two tasks would meet; take spec.services out of the project, or run Slipway in a cluster`
  const owners = new Map<number, string>()
  for (const service of services)
    for (const port of service.ports ?? []) {
      const other = owners.get(port)
      if (other !== undefined)
        return `services ${other} and ${service.name} of project ${name} both have port ${port}, and they share the pod's network: give one of them another port in spec.services[].ports`
      owners.set(port, service.name)
    }
  return undefined
}
