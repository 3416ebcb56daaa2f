/**
 * The tokens that this server takes, and what each is good for (specification §9.2).
 *
 * Only digests are kept. A presented token is compared with every one of them, in the same time whatever it is. A file
 * that holds a token is looked at once a second at most and read again when it has changed; while it is missing, too
 * short, or open to everybody's changes, nobody has its token, so that removing the file takes the token away.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type Scope, SCOPES } from '../../core/rest/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { findReadRisk, findWriteFault } from '../../lib/file-mode.ts'
import type { Logger } from '../../lib/log.ts'
import type { Subject } from './subject.ts'
import { messageOf } from '../../lib/error-message.ts'

/** One token of the configuration: its text, or the file that holds it. */
export interface TokenSource {
  readonly name: string
  readonly token?: string
  /** Absolute path; white space around the token is left out. */
  readonly tokenFile?: string
  readonly scopes: readonly Scope[]
}

/** Those who may decide and those who may not: each record has at most one text for either. */
export type Audience = 'deciders' | 'readers'

/** Who asks, as decisions record it, and what they may do. */
export interface Caller {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Set for somebody whose rights are those that Kubernetes gives: then `scopes` say nothing. */
  readonly subject?: Subject
  /** Set where rights, not scopes, say for whom records are made. */
  readonly audience?: Audience
  /** Set where a session says who it is: when it ends. */
  readonly sessionEndsAt?: Date
}

export interface KnownToken extends Pick<Caller, 'name' | 'scopes'> {
  /** SHA-256 of the token. */
  readonly digest: Buffer
}

export interface Tokens {
  /** False: none is configured, and everybody may do everything. */
  readonly isRequired: boolean
  /** Whose token that is. */
  find(presented: string): KnownToken | undefined
  /** The token of that name, while it is valid. */
  named(name: string): KnownToken | undefined
}

/** Name of the plain `token`, as decisions record it. */
const PLAIN_TOKEN_NAME = 'api'
const MIN_TOKEN_LENGTH = 8
const LOOK_AGAIN_MS = 1000

export interface TokensOptions {
  readonly token?: string | undefined
  readonly tokens?: readonly TokenSource[] | undefined
  readonly clock: Clock
  readonly logger: Logger
}

/** @throws TokenUnreadable when a file is missing or holds no token at the start */
export function createTokens({ token, tokens = [], clock, logger }: TokensOptions): Tokens {
  const plain = token === undefined ? [] : [{ name: PLAIN_TOKEN_NAME, token, scopes: SCOPES }]
  const readers = [...plain, ...tokens].map((source) => createReader(source, clock, logger))
  const known = (): KnownToken[] => readers.map((read) => read()).filter((entry) => entry !== undefined)
  return {
    isRequired: readers.length > 0,
    find(presented) {
      const wanted = digest(presented)
      // No early end: how long it takes tells nothing about which one it is.
      return known().filter((entry) => timingSafeEqual(entry.digest, wanted))[0]
    },
    named: (name) => known().find((entry) => entry.name === name),
  }
}

/** A token file that cannot be used when the server starts. */
export class TokenUnreadable extends Error {
  override readonly name = 'TokenUnreadable'

  constructor({ name, tokenFile }: TokenSource, reason: string, cause?: unknown) {
    super(`tokens: ${name}: ${tokenFile ?? ''}: ${reason}`, { cause })
  }
}

type Reader = () => KnownToken | undefined

function createReader(source: TokenSource, clock: Clock, logger: Logger): Reader {
  const { name, scopes, token, tokenFile } = source
  if (tokenFile === undefined) {
    const entry = { name, scopes, digest: digest(token ?? '') }
    return () => entry
  }
  let version = versionOf(tokenFile)
  let entry: KnownToken | undefined = readToken(source, tokenFile)
  const risk = findReadRisk(tokenFile)
  if (risk !== undefined) logger.warn({ name, tokenFile }, `token file ${risk}`)
  let lookedAt = clock.now().getTime()
  const refresh = (): void => {
    const current = versionOf(tokenFile)
    if (current === version) return
    version = current
    try {
      entry = readToken(source, tokenFile)
    } catch (error) {
      if (!(error instanceof TokenUnreadable)) throw error
      entry = undefined
      logger.error({ error }, 'a token file cannot be used: its token is not valid any more')
    }
  }
  return () => {
    const now = clock.now().getTime()
    if (Math.abs(now - lookedAt) >= LOOK_AGAIN_MS) {
      lookedAt = now
      refresh()
    }
    return entry
  }
}

/** @throws TokenUnreadable */
function readToken(source: TokenSource, path: string): KnownToken {
  const { name, scopes } = source
  const text = readText(source, path).trim()
  const fault = findWriteFault(path)
  if (fault !== undefined) throw new TokenUnreadable(source, fault)
  if (text.length < MIN_TOKEN_LENGTH)
    throw new TokenUnreadable(source, `holds fewer than ${MIN_TOKEN_LENGTH} characters`)
  return { name, scopes, digest: digest(text) }
}

function readText(source: TokenSource, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new TokenUnreadable(source, messageOf(error), error)
  }
}

/** Changes with the content; Kubernetes replaces a mounted Secret by turning a link, which shows in the inode. */
function versionOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'absent' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('.')
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
