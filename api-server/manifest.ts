import { stringify } from 'yaml'
import type { Task } from '../core/crd/types.ts'
import type { Event } from '../kube/builtin.ts'
import { apiVersionOf, EVENTS, PODS } from '../kube/resources.ts'
import type { KubeObject } from '../kube/types.ts'
import type { ApiContext } from './context.ts'

/**
 * A task's resource as YAML, ready for `kubectl apply`; its events and the status of its pod follow as comments, so
 * that the text stays a manifest. Managed fields are left out.
 */
export async function printManifest(context: ApiContext, task: Task): Promise<string> {
  const { apiVersion, kind, ...rest } = task
  const manifest = stringify({
    apiVersion: apiVersion ?? apiVersionOf(context.caches.tasks.informer.resource),
    kind,
    ...rest,
  })
  const comments = await Promise.all([describeEvents(context, task), describePod(context, task)])
  return `${manifest}${comments.map((lines) => `\n${lines.map(toComment).join('\n')}\n`).join('')}`
}

async function describeEvents({ client, namespace }: ApiContext, { metadata }: KubeObject): Promise<string[]> {
  const fieldSelector = `involvedObject.name=${metadata.name},involvedObject.uid=${metadata.uid ?? ''}`
  return live('Events', async () => {
    const { items } = await client.list(EVENTS, { namespace, fieldSelector })
    return items.map(describeEvent).sort()
  })
}

function describeEvent({ type, reason, message, lastTimestamp, count, metadata }: Event): string {
  const at = lastTimestamp ?? metadata.creationTimestamp ?? ''
  return [at, type ?? '', reason ?? '', `${message ?? ''}${(count ?? 1) > 1 ? ` (${count} times)` : ''}`].join('  ')
}

async function describePod({ client, namespace, caches }: ApiContext, { status }: Task): Promise<string[]> {
  const execution = status?.execution === undefined ? undefined : caches.executions.find(status.execution)
  const name = execution?.status?.pod?.name
  if (name === undefined) return ['Pod: none']
  return live(`Pod ${name}`, async () => {
    const pod = await client.find(PODS, { namespace, name })
    return pod === undefined
      ? ['gone']
      : stringify(pod.status ?? {})
          .trimEnd()
          .split('\n')
  })
}

/** What only the control plane knows; while it is gone the manifest says so instead of failing. */
async function live(title: string, read: () => Promise<string[]>): Promise<string[]> {
  try {
    const lines = await read()
    return [`${title}:${lines.length === 0 ? ' none' : ''}`, ...lines.map((line) => `  ${line}`)]
  } catch (error) {
    return [`${title}: not available (${error instanceof Error ? error.message : String(error)})`]
  }
}

/** Line by line: an event's message may hold line feeds, and none of them may end the comment. */
function toComment(line: string): string {
  return line
    .split(/\r\n|[\r\n]/)
    .map((part) => `# ${part}`)
    .join('\n')
}
