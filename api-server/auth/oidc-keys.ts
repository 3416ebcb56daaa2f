/**
 * Files that sign-in with OpenID Connect is configured by, read at the start. Sessions are sealed with what every
 * replica has: the text of `sessionKeyFile`, else the client's secret. The provider knows that secret too, but it can
 * say of anybody that they signed in anyhow, so it gains nothing. Source: docs/specification.md §9.10.
 */
import { scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { findWriteFault } from '../../lib/file-mode.ts'
import type { OidcSettings } from '../../lib/oidc-config.ts'
import { messageOf } from '../../lib/error-message.ts'

/** A file of the configuration that cannot be used when the server starts. */
export class OidcFileUnreadable extends Error {
  override readonly name = 'OidcFileUnreadable'

  constructor(field: string, path: string, reason: string, cause?: unknown) {
    super(`configuration: identity.oidc.${field}: ${path}: ${reason}`, { cause })
  }
}

export interface OidcKeys {
  readonly clientSecret?: string
  readonly ca?: string
  /** Encrypts sessions, and sign-ins under way. */
  readonly sealKey: Uint8Array
}

const MIN_KEY_LENGTH = 32
/** Below that somebody with a cookie could try out secrets, for all that scrypt costs. */
const MIN_SECRET_LENGTH = 16

/** @throws OidcFileUnreadable */
export function readOidcKeys(settings: OidcSettings): OidcKeys {
  const clientSecret = read(settings, 'clientSecretFile')
  const sessionKey = read(settings, 'sessionKeyFile')
  const ca = read(settings, 'caBundle')
  if (sessionKey !== undefined) requireLength(settings, 'sessionKeyFile', sessionKey, MIN_KEY_LENGTH)
  else requireLength(settings, 'clientSecretFile', clientSecret ?? '', MIN_SECRET_LENGTH)
  // Another issuer or client is another realm: its sessions do not count here.
  const salt = ['slipway oidc v1', settings.issuer, settings.clientId].join('\n')
  const sealKey = scryptSync(sessionKey ?? clientSecret ?? '', salt, 32)
  return { sealKey, ...(clientSecret !== undefined && { clientSecret }), ...(ca !== undefined && { ca }) }
}

type FileField = 'clientSecretFile' | 'sessionKeyFile' | 'caBundle'

function read(settings: OidcSettings, field: FileField): string | undefined {
  const path = settings[field]
  if (path === undefined) return undefined
  const text = readText(field, path)
  const fault = findWriteFault(path)
  if (fault !== undefined) throw new OidcFileUnreadable(field, path, fault)
  if (text === '') throw new OidcFileUnreadable(field, path, 'is empty')
  return text
}

function readText(field: FileField, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new OidcFileUnreadable(field, path, messageOf(error), error)
  }
}

function requireLength(settings: OidcSettings, field: FileField, text: string, length: number): void {
  if (text.length >= length) return
  const way = field === 'clientSecretFile' ? '; give a sessionKeyFile beside it' : ''
  throw new OidcFileUnreadable(field, settings[field] ?? '', `holds fewer than ${length} characters${way}`)
}
