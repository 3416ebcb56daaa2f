import type { Event, Pod } from '../../kube/builtin.ts'
import { withoutManagedFields } from '../../kube/informer.ts'
import { apiVersionOf, EVENTS, PODS } from '../../kube/resources.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import type { ApiContext } from '../context.ts'
import { escapeUnprintable, toYaml } from './yaml.ts'

/** What a manifest is printed of. */
export interface ManifestSource<T extends KubeObject> {
  readonly cache: Pick<RecordCache<T>, 'informer'>
  readonly object: T
  /** Its pod, without a name where it has none now; absent for kinds that never have one. */
  readonly pod?: { readonly name: string | undefined }
}

/**
 * A resource as YAML, ready for `kubectl apply`; its events and the status of its pod follow as comments, so that the
 * text stays a manifest. Managed fields are left out.
 */
export async function printManifest<T extends KubeObject>(
  context: Pick<ApiContext, 'client' | 'namespace'>,
  { cache, object, pod }: ManifestSource<T>,
): Promise<string> {
  // Resources come from lists, whose items need not say what they are.
  const { resource } = cache.informer
  const {
    apiVersion = apiVersionOf(resource),
    kind = resource.kind,
    ...rest
  } = withoutManagedFields<KubeObject>(object)
  const manifest = toYaml({ apiVersion, kind, ...rest })
  const comments = [
    await live('Events', () => formatEvents(context, object)),
    ...(pod === undefined ? [] : await formatPod(context, pod.name)),
  ]
  return `${manifest}${comments.map((lines) => `\n${lines.map(toComment).join('\n')}\n`).join('')}`
}

type Reach = Pick<ApiContext, 'client' | 'namespace'>

async function formatEvents({ client, namespace }: Reach, { metadata }: KubeObject): Promise<string[]> {
  const fieldSelector = `involvedObject.name=${metadata.name},involvedObject.uid=${metadata.uid ?? ''}`
  const { items } = await client.list(EVENTS, { namespace, fieldSelector })
  return items.map(formatEvent).sort()
}

function formatEvent({ type, reason, message, lastTimestamp, count, metadata }: Event): string {
  const at = lastTimestamp ?? metadata.creationTimestamp ?? ''
  return [at, type ?? '', reason ?? '', `${message ?? ''}${(count ?? 1) > 1 ? ` (${count} times)` : ''}`].join('  ')
}

/** The pod's status and, because why it does not start is said nowhere else, its own events. */
async function formatPod(reach: Reach, name: string | undefined): Promise<string[][]> {
  if (name === undefined) return [['Pod: none']]
  let found: Pod | undefined
  const status = await live(`Pod ${name}`, async () => {
    found = await reach.client.find(PODS, { namespace: reach.namespace, name })
    return found === undefined ? ['gone'] : printLines(found.status ?? {})
  })
  if (found === undefined) return [status]
  const pod = found
  return [status, await live(`Events of pod ${name}`, () => formatEvents(reach, pod))]
}

function printLines(value: object): string[] {
  return toYaml(value).trimEnd().split('\n')
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
  return escapeUnprintable(line)
    .split(/\r\n|[\r\n]/)
    .map((part) => `# ${part}`)
    .join('\n')
}
