/** Pods that stand for those of Slipway and their neighbours, and what of them reaches what. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How long a try may take until it counts as refused: enforcers drop packets. */
const PATIENCE_MS = 1500

/** Takes connections on the ports that are named, until it is told to end. */
const LISTEN = `process.argv.slice(1).forEach((port) => require('net').createServer((s) => s.end()).listen(+port))
process.on('SIGTERM', () => process.exit())`

/** Prints, for a JSON list of [host, port], which of them a connection can be made to. */
const TRY = `const open = ([host, port]) => new Promise((done) => {
  const s = require('net').connect({ host, port, autoSelectFamily: false }, () => done(true))
  s.on('error', () => done(false))
  setTimeout(done, ${PATIENCE_MS}, false)
})
Promise.all(JSON.parse(process.argv[1]).map(open)).then((all) => { console.log(JSON.stringify(all)); process.exit() })`

export interface Listener {
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Ports that it listens on; policies may call them by name. */
  readonly ports: readonly { readonly name?: string; readonly containerPort: number }[]
}

export type Target = readonly [host: string, port: number]

/** A pod of an image that has node. */
export function listenerPod({ namespace, name, labels, ports }: Listener, image: string): object {
  const command = ['node', '-e', LISTEN, ...ports.map(({ containerPort }) => String(containerPort))]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 1,
      // Port 443 without root.
      securityContext: { sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] },
      containers: [{ name: 'listener', image, imagePullPolicy: 'IfNotPresent', command, ports }],
    },
  }
}

/** Whether a pod can connect to each of the targets. */
export async function tryFrom(pod: Listener, targets: readonly Target[]): Promise<boolean[]> {
  const command = ['--', 'node', '-e', TRY, JSON.stringify(targets)]
  const { stdout } = await run('kubectl', ['-n', pod.namespace, 'exec', pod.name, ...command])
  return JSON.parse(stdout) as boolean[]
}
