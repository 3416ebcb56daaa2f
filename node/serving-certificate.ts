/** The certificate that the log server shows: of the node's own, which the API server of this machine takes. */
import type { Clock } from '../lib/clock.ts'
import { type CertificatePair, makeCertificate } from '../lib/x509.ts'
import { ADDRESS } from './register.ts'

export interface ServingOptions {
  readonly clock: Clock
  readonly randomBytes: (size: number) => Uint8Array
  readonly name: string
}

const DAY_MS = 86_400_000
const DAYS_VALID = 365
const SERIAL_BYTES = 16

/** A certificate of our own, for as long as a process lives; valid since yesterday, for clocks differ. */
export function ownCertificate({ clock, randomBytes, name }: ServingOptions): CertificatePair {
  const now = clock.now().getTime()
  return makeCertificate({
    commonName: `system:node:${name}`,
    hosts: [ADDRESS, name],
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + DAYS_VALID * DAY_MS),
    serial: randomBytes(SERIAL_BYTES),
  })
}
