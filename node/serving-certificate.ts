/**
 * The certificate that the log server shows. A kube-apiserver with `--kubelet-certificate-authority` believes those of
 * its cluster's authority only: one is asked for at the API and approved there, as an administrator approves a
 * kubelet's. Until it is there, and where the cluster gives none, one of our own has to do, which a kube-apiserver
 * without that flag takes.
 *
 * Source: Kubernetes documentation, "Kubelet serving certificate bootstrap".
 */
import { X509Certificate } from 'node:crypto'
import { SIGNING_REQUESTS } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import { delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { CertificatePair } from '../lib/x509.ts'
import { makeCertificate, makeSigningRequest } from '../lib/x509.ts'

export interface ServingOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly logger: Logger
  readonly randomBytes: (size: number) => Uint8Array
  readonly name: string
  /** IP address that the logs are served on. */
  readonly address: string
}

const DAY_MS = 86_400_000
const DAYS_VALID = 365
const SERIAL_BYTES = 16

/** A certificate of our own, for as long as a process lives; valid since yesterday, for clocks differ. */
export function ownCertificate({ clock, randomBytes, name, address }: ServingOptions): CertificatePair {
  const now = clock.now().getTime()
  return makeCertificate({
    commonName: nodeUser(name),
    hosts: [address, name],
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + DAYS_VALID * DAY_MS),
    serial: randomBytes(SERIAL_BYTES),
  })
}

function nodeUser(name: string): string {
  return `system:node:${name}`
}

const RETRY_MS = 3_600_000

/** Has the cluster sign a certificate, and another one before it ends, until `signal` aborts. */
export async function keepSigned(
  options: ServingOptions,
  use: (pair: CertificatePair) => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger } = options
  while (!signal.aborted) {
    let pauseMs = RETRY_MS
    try {
      const pair = await requestCertificate(options, signal)
      if (pair === undefined) return
      use(pair)
      const { validTo } = new X509Certificate(pair.certificate)
      pauseMs = Math.max(RETRY_MS, (Date.parse(validTo) - clock.now().getTime()) / 2)
    } catch (error) {
      if (signal.aborted) return
      logger.warn(
        { error },
        'the cluster signs no certificate for the logs of this node: kubectl logs may not work on it',
      )
    }
    await delay(clock, pauseMs, signal)
  }
}

const POLL_MS = 200
const SIGNED_WITHIN_MS = 30_000

/**
 * A certificate of the cluster's authority for kubelets; undefined when `signal` aborts meanwhile.
 *
 * @throws KubeError when we may not ask or approve
 * @throws Error when nobody signs it
 */
async function requestCertificate(options: ServingOptions, signal: AbortSignal): Promise<CertificatePair | undefined> {
  const { client, name, address, randomBytes, clock } = options
  const hosts = [address]
  const { request, key } = makeSigningRequest({ organization: 'system:nodes', commonName: nodeUser(name), hosts })
  const object = { name: `${name}-${Buffer.from(randomBytes(4)).toString('hex')}` }
  await client.create(SIGNING_REQUESTS, {
    metadata: object,
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    },
  })
  try {
    const message = 'approved by who runs the node'
    const approved = { type: 'Approved', status: 'True', reason: 'LocalNode', message }
    await client.mergePatch(
      SIGNING_REQUESTS,
      object,
      { status: { conditions: [approved] } },
      { subresource: 'approval' },
    )
    for (let waitedMs = 0; waitedMs < SIGNED_WITHIN_MS; waitedMs += POLL_MS) {
      const { status } = await client.get(SIGNING_REQUESTS, object, { signal })
      if (status?.certificate !== undefined) {
        return { certificate: Buffer.from(status.certificate, 'base64').toString('utf8'), key }
      }
      await delay(clock, POLL_MS, signal)
      if (signal.aborted) return undefined
    }
    throw new Error(`nobody signed the certificate within ${SIGNED_WITHIN_MS / 1000} s`)
  } finally {
    // At a stop it is left to the cluster, which removes old ones.
    if (!signal.aborted) await client.delete(SIGNING_REQUESTS, object)
  }
}
