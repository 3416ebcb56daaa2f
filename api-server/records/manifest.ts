import { withoutUrlSecrets } from '../../core/redact-urls.ts'
import type { Event, Pod } from '../../kube/builtin.ts'
import { withoutManagedFields } from '../../kube/informer.ts'
import { apiVersionOf } from '../../kube/resources.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import type { ApiContext } from '../context.ts'
import {
  type KubernetesFacts,
  type KubernetesSource,
  type Read,
  describeProblem,
  lastAt,
  readKubernetes,
} from './kubernetes.ts'
import { escapeUnprintable, toYaml } from './yaml.ts'

/** What a manifest is printed of. */
export interface ManifestSource<T extends KubeObject> extends KubernetesSource {
  readonly cache: Pick<RecordCache<T>, 'informer'>
  readonly object: T
}

/**
 * A resource as YAML, ready for `kubectl apply`; its events and the status of its pod follow as comments, so that the
 * text stays a manifest. Managed fields are left out.
 */
export async function printManifest<T extends KubeObject>(
  context: Pick<ApiContext, 'client' | 'namespace'>,
  source: ManifestSource<T>,
): Promise<string> {
  // Resources come from lists, whose items need not say what they are.
  const { resource } = source.cache.informer
  const {
    apiVersion = apiVersionOf(resource),
    kind = resource.kind,
    ...rest
  } = withoutUrlSecrets(withoutManagedFields<KubeObject>(source.object))
  const manifest = toYaml({ apiVersion, kind, ...rest })
  const comments = printFacts(await readKubernetes(context, source))
  return `${manifest}${comments.map((lines) => `\n${lines.map(toComment).join('\n')}\n`).join('')}`
}

function printFacts({ events, pod }: KubernetesFacts): string[][] {
  const sections = [printSection(events, (found) => found.map(printEvent))]
  if (pod === undefined) return sections
  if (pod.name === undefined) return [...sections, ['Pod: none']]
  if (pod.found !== undefined) sections.push(printSection(pod.found, printPod))
  if (pod.events !== undefined) sections.push(printSection(pod.events, (found) => found.map(printEvent)))
  return sections
}

function printSection<T>(part: Read<T>, print: (value: T) => readonly string[]): string[] {
  if (!part.ok) return [describeProblem(part)]
  const lines = print(part.value)
  return [`${part.title}:${lines.length === 0 ? ' none' : ''}`, ...lines.map((line) => `  ${line}`)]
}

function printEvent(event: Event): string {
  const { type, reason, message, count } = event
  const times = (count ?? 1) > 1 ? ` (${count} times)` : ''
  return [lastAt(event) ?? '', type ?? '', reason ?? '', `${message ?? ''}${times}`].join('  ')
}

function printPod(pod: Pod | undefined): readonly string[] {
  return pod === undefined
    ? ['gone']
    : toYaml(pod.status ?? {})
        .trimEnd()
        .split('\n')
}

/** Line by line: an event's message may hold line feeds, and none of them may end the comment. */
function toComment(line: string): string {
  return escapeUnprintable(line)
    .split(/\r\n|[\r\n]/)
    .map((part) => `# ${part}`)
    .join('\n')
}
