/**
 * Where the API server is and who we are there.
 *
 * client-node is loaded when it is needed and not before: `slipway --help` and the REST commands never pay for it.
 */
import type { KubeConfig } from '@kubernetes/client-node'

type Environment = Readonly<Record<string, string | undefined>>

/** Which kubeconfig. Nothing but what is asked for is consulted: no variable, no file in the home folder. */
export type KubeConfigSource =
  | { readonly kind: 'file'; readonly path: string; readonly context?: string | undefined }
  | { readonly kind: 'content'; readonly content: string; readonly context?: string | undefined }
  /** The pod's service account, by the pod's environment (default: ours) and the files below `root` (default `/`). */
  | { readonly kind: 'inCluster'; readonly environment?: Environment; readonly root?: string }
  /** As kubectl: `KUBECONFIG` (several files are merged), then `~/.kube/config`. Only where a user asked for it. */
  | { readonly kind: 'default'; readonly context?: string | undefined }

/**
 * @throws Error when the file cannot be read or is not a kubeconfig, when the context does not exist, and for
 *   `inCluster` outside of a pod
 */
export async function loadKubeConfig(source: KubeConfigSource): Promise<KubeConfig> {
  // By file: the package's index loads every generated API class as well.
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
  const config = new KubeConfig()
  switch (source.kind) {
    case 'file':
      config.loadFromFile(source.path)
      break
    case 'content':
      config.loadFromString(source.content)
      break
    case 'inCluster':
      loadServiceAccount(config, source.environment ?? process.env, source.root ?? '')
      break
    case 'default':
      config.loadFromDefault()
      break
    default:
      source satisfies never
  }
  if (source.kind !== 'inCluster') useContext(config, source.context)
  return config
}

/** The namespace of the current context; undefined when it names none. */
export function namespaceOf(config: KubeConfig): string | undefined {
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace?.trim()
  return namespace === '' ? undefined : namespace
}

/** The address by hand, because client-node would read the process's own environment. */
function loadServiceAccount(config: KubeConfig, environment: Environment, root: string): void {
  const host = environment['KUBERNETES_SERVICE_HOST']
  const port = environment['KUBERNETES_SERVICE_PORT']
  if (!host || !port) throw new Error('not in a pod: KUBERNETES_SERVICE_HOST and _PORT are not set')
  config.loadFromCluster(root)
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  config.clusters = config.clusters.map((cluster) => ({ ...cluster, server }))
}

function useContext(config: KubeConfig, context: string | undefined): void {
  if (context !== undefined) config.setCurrentContext(context)
  const name = config.getCurrentContext()
  if (!config.getContextObject(name)) throw new Error(`the kubeconfig has no context "${name}"`)
}
