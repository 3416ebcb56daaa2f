import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'

export interface ControlPlaneOptions {
  /** Folder of the store; made when missing, readable by its owner only. One process at a time. */
  readonly storeDir: string
  /** CustomResourceDefinitions as parsed objects; created at start, and updated when they changed. */
  readonly crds: readonly unknown[]
  /** Address to listen on. */
  readonly host: string
  /** 0: the port of the last run if it is free, else any free one. */
  readonly port: number
  readonly clock: Clock
  readonly logger: Logger
  readonly randomBytes: (size: number) => Uint8Array
}

export interface ControlPlane {
  /** `https://host:port`. */
  readonly url: string
  /** YAML with the server, its certificate and a token; context namespace `default`. Valid across restarts. */
  readonly kubeconfig: string
  /** Ends watches, lets writes become durable, frees the folder. */
  stop(): Promise<void>
}

/**
 * Starts a Kubernetes API server in this process, on an embedded store; resolves when it answers.
 *
 * @throws StoreError when another process holds the folder or a newer version wrote it
 * @throws SchemaError when a given CRD is not valid
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  options.logger.debug({ storeDir: options.storeDir }, 'control plane starting')
  return await Promise.reject(new Error('the control plane does not serve yet'))
}
