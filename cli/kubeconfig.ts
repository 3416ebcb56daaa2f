/** Chooses the cluster of a command as kubectl does. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type KubeConfigSource, loadKubeConfig } from '../kube/config.ts'
import { UsageError } from './command.ts'
import { messageOf } from '../lib/error-message.ts'

export const USUAL_KUBECONFIG = join(homedir(), '.kube', 'config')

export interface KubeconfigChoice {
  /** From `--kubeconfig`. */
  readonly path?: string | undefined
  /** From `--context`; default: the kubeconfig's current one. */
  readonly context?: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

const WAY_OUT = 'set KUBECONFIG to another one, or name it with --kubeconfig'

/**
 * Opens the kubeconfig of the choice, of `KUBECONFIG`, of the pod that we run in, or the usual one.
 *
 * @throws UsageError when there is none
 * @throws Error that names the way out when it cannot be used
 */
export async function openKubeconfig(choice: KubeconfigChoice, env: Environment): ReturnType<typeof loadKubeConfig> {
  return loadKubeConfig(sourceOf(choice, env)).catch((cause: unknown) => {
    throw new Error(`cannot use the kubeconfig: ${messageOf(cause)}; ${WAY_OUT}`, { cause })
  })
}

function sourceOf({ path, context }: KubeconfigChoice, env: Environment): KubeConfigSource {
  if (path !== undefined) return { kind: 'file', path, context }
  const isNamed = env['KUBECONFIG'] !== undefined && env['KUBECONFIG'] !== ''
  if (!isNamed && env['KUBERNETES_SERVICE_HOST'] !== undefined) return { kind: 'inCluster' }
  // Otherwise client-node would use http://localhost:8080 without a word.
  if (isNamed || existsSync(USUAL_KUBECONFIG)) return { kind: 'default', context }
  throw new UsageError('there is no cluster to use; set KUBECONFIG, or name a kubeconfig with --kubeconfig')
}
