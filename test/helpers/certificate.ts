import { randomBytes } from 'node:crypto'
import { type CertificatePair, makeCertificate } from '../../lib/x509.ts'

/** A certificate that is its own authority, good for a day. */
export function aCertificate(...hosts: string[]): CertificatePair {
  const now = Date.now()
  return makeCertificate({
    commonName: hosts[0] ?? 'test',
    hosts,
    notBefore: new Date(now - 60_000),
    notAfter: new Date(now + 86_400_000),
    serial: randomBytes(16),
  })
}
