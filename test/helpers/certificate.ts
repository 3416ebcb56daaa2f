import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadAccess } from '../../embedded/access.ts'
import type { ServerCertificate } from './git-over-http.ts'

/** A certificate for 127.0.0.1 that is its own authority, as the embedded control plane makes one for itself. */
export async function makeCertificate(): Promise<ServerCertificate> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-certificate-'))
  try {
    const { certificate, key } = await loadAccess(folder, '127.0.0.1', new Date(), randomBytes)
    return { cert: certificate, key }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
