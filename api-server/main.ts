import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { KubeClient } from '../kube/types.ts'

/** What an API server is given; it reads no environment and no configuration of its own. */
export interface ApiServerOptions {
  readonly client: KubeClient
  /** The one namespace that this server serves. */
  readonly namespace: string
  /** Absolute path of the data volume. */
  readonly volumeRoot: string
  readonly workspaceRoot: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly token?: string | undefined
  readonly publicUrl?: string | undefined
  readonly allowedHosts?: readonly string[] | undefined
  /** True: serve beyond loopback even without a token. */
  readonly insecure: boolean
  readonly version: BuildVersion
  readonly embedded: boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly randomBytes: (size: number) => Uint8Array
  /** Text that the UI shows, such as the isolation in force. */
  readonly notice?: string | undefined
  /** True in tests and development: every response is checked against the route table, a misfit is a 500. */
  readonly checkResponses?: boolean
}

export interface BuildVersion {
  readonly version: string
  /** Full hash, or "" when the build does not know it. */
  readonly commit: string
  /** RFC 3339, or "" when the build does not know it. */
  readonly built_at: string
}

export interface ApiServer {
  /** Base URL without a slash at the end. */
  readonly url: string
  /** True once every cache holds the state of the control plane. */
  isReady(): boolean
  /** Refuses new requests, ends streams and WebSockets, waits for the requests under way. */
  stop(): Promise<void>
}
