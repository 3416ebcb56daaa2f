import { X509Certificate } from 'node:crypto'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Why a text is no list of certificates in PEM form (RFC 7468), as the end of a sentence; undefined when it is one. */
export function findBundleProblem(text: string): string | undefined {
  // Whoever mixed the two up should not find the key in a pod's environment.
  if (text.includes('PRIVATE KEY-----')) return 'holds a private key: give certificates only'
  const found = text.match(CERTIFICATE) ?? []
  if (found.length === 0) return 'holds no certificate in PEM form'
  const bad = found.findIndex((certificate) => !isReadable(certificate))
  return bad === -1 ? undefined : `holds a certificate that cannot be read, number ${bad + 1}`
}

function isReadable(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
