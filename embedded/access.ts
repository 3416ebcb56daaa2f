import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { findBundleProblem } from '../lib/certificates.ts'
import { hasErrorCode, writeFileAtomic } from '../lib/files.ts'
import { makeCertificate } from '../lib/x509.ts'

/** What a client needs, and what the server needs to be the one that it knows; kept across restarts. */
export interface Access {
  readonly host: string
  readonly port: number
  readonly token: string
  readonly certificate: string
  readonly key: string
}

const TOKEN_BYTES = 32
const SERIAL_BYTES = 16
const FILE = 'access.json'
const YEARS_VALID = 10
const DAY_MS = 24 * 60 * 60 * 1000
/** Clocks are set back, by less than this as a rule. */
const MARGIN_MS = DAY_MS
/** Longer than a server runs. */
const RENEW_BEFORE_MS = 365 * DAY_MS

/**
 * Reads the folder's access file, or makes new credentials when there is none for this host. A certificate that is not
 * valid yet, or not for a year more, is made anew; the token stays.
 */
export function loadAccess(folder: string, host: string, now: Date, randomBytes: (size: number) => Uint8Array): Access {
  const known = readAccess(join(folder, FILE))
  if (known?.host === host && isValid(known.certificate, now)) return known
  const until = new Date(now)
  until.setUTCFullYear(now.getUTCFullYear() + YEARS_VALID)
  const { certificate, key } = makeCertificate({
    commonName: 'embedded control plane',
    hosts: [...new Set(['localhost', '127.0.0.1', '::1', host])],
    notBefore: new Date(now.getTime() - MARGIN_MS),
    notAfter: until,
    serial: randomBytes(SERIAL_BYTES),
  })
  const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
  return { host, port: 0, token, ...(known?.host === host ? known : {}), certificate, key }
}

function isValid(certificate: string, now: Date): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate)
  return new Date(validFrom) <= now && now.getTime() < new Date(validTo).getTime() - RENEW_BEFORE_MS
}

/** Replaces the access file in one step, durably; only its owner can read it. */
export function saveAccess(folder: string, access: Access): Promise<void> {
  return writeFileAtomic(join(folder, FILE), JSON.stringify(access, undefined, 2), 0o600)
}

/** A kubeconfig for one server, whose certificate is its own authority. */
export function toKubeconfig(url: string, { token, certificate }: Access): string {
  const name = 'embedded'
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [
      { name, cluster: { server: url, 'certificate-authority-data': Buffer.from(certificate).toString('base64') } },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
  })
}

function readAccess(file: string): Access | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    // Earlier versions renamed it into place before it was on the disk: what a power cut leaves of that has no byte.
    if (/^\0*$/.test(text)) return undefined
    const value: unknown = JSON.parse(text)
    if (isAccess(value)) return value
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Error(`${file} is not what this version writes: remove it to get new credentials`)
}

function isAccess(value: unknown): value is Access {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['host', 'token', 'certificate', 'key']
  const isText = (name: string): boolean => typeof Reflect.get(value, name) === 'string'
  if (!texts.every(isText) || typeof Reflect.get(value, 'port') !== 'number') return false
  return findBundleProblem(String(Reflect.get(value, 'certificate'))) === undefined
}
