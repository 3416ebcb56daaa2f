/**
 * Keeps secrets out of everything that is printed or stored: passwords and tokens in URLs, and known values, as they are
 * and as they are written in a URL, in JSON and in base64.
 *
 * If several values begin at the same place, the longest is replaced; if values overlap, the first is replaced. The result
 * for a stream does not depend on its chunks: only what could be the beginning of a value waits for the next chunk, so
 * memory is bounded by the longest value.
 */
import { redactUrls } from '../core/redact-urls.ts'

const REDACTED = '[redacted]'

/** Shorter values are likely to be ordinary words. */
const MIN_SECRET_LENGTH = 4

export type Redact = (text: string) => string

/** Makes a function that removes secrets from a text: userinfo and tokens of URLs, and each of `secrets`. */
export function makeRedactor(secrets: readonly string[]): Redact {
  const { pattern } = toPatterns(secrets)
  return (text) => redactUrls(pattern === undefined ? text : fromBytes(toBytes(text).replace(pattern, REDACTED)))
}

/** JSON without secrets in its texts. */
export function toRedactedJson(value: object, redact: Redact): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? redact(part) : part))
}

/**
 * The start of a file without secrets: to be taken before anything is cut off, which would leave the beginning of one.
 *
 * @param maxBytes what `start` holds at most; where it ends there, what may be the beginning of a secret is left out
 */
export function redactStart(start: Buffer, maxBytes: number, secrets: readonly string[]): string {
  const redactor = createStreamRedactor(secrets)
  const clean = redactor.push(start)
  return redactUrls((start.length < maxBytes ? Buffer.concat([clean, redactor.end()]) : clean).toString('utf8'))
}

/** Removes secrets from a stream of bytes. */
export interface StreamRedactor {
  /** Returns what is known to be free of secrets after this chunk. */
  push(chunk: Buffer): Buffer
  /** Returns what waited for another chunk. */
  end(): Buffer
  /** As `end` for a text that goes on elsewhere: what may be the beginning of a secret is replaced, unless it is too short to tell. */
  interrupt(): Buffer
}

/** URLs stay as they are: only git's messages hold URLs with passwords. */
export function createStreamRedactor(secrets: readonly string[]): StreamRedactor {
  const patterns = toPatterns(secrets)
  const { pattern } = patterns
  const nothing = Buffer.alloc(0)
  // One byte is one character here: a secret may lie among bytes that are no UTF-8, or be cut within a character.
  let held = ''
  if (pattern === undefined) return { push: (chunk) => chunk, end: () => nothing, interrupt: () => nothing }
  return {
    push(chunk) {
      const text = held + chunk.toString('latin1')
      const { clean, rest } = redactBeginning(text, pattern, patterns)
      const isUntouched = held === '' && clean === text
      held = rest
      return isUntouched ? chunk : Buffer.from(clean, 'latin1')
    },
    end() {
      const clean = held.replace(pattern, REDACTED)
      held = ''
      return Buffer.from(clean, 'latin1')
    },
    interrupt() {
      const clean = held.length < MIN_SECRET_LENGTH ? held : REDACTED
      held = ''
      return Buffer.from(clean, 'latin1')
    },
  }
}

/** Yields a stream without its secrets. Its first chunk is requested within the call that requests ours. */
export async function* redactStream(source: AsyncIterable<Buffer>, secrets: readonly string[]): AsyncGenerator<Buffer> {
  const redactor = createStreamRedactor(secrets)
  for await (const chunk of source) {
    const clean = redactor.push(chunk)
    if (clean.length > 0) yield clean
  }
  const rest = redactor.end()
  if (rest.length > 0) yield rest
}

interface Beginning {
  readonly clean: string
  /** What may become a secret, or a longer one, with the next chunk. */
  readonly rest: string
}

function redactBeginning(text: string, pattern: RegExp, patterns: Patterns): Beginning {
  const clean: string[] = []
  let at = 0
  let open = findOpen(text, at, patterns)
  for (;;) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null || found.index >= open) break
    clean.push(text.slice(at, found.index), REDACTED)
    at = found.index + found[0].length
    if (at > open) open = findOpen(text, at, patterns)
  }
  clean.push(text.slice(at, open))
  return { clean: clean.length === 1 ? (clean[0] ?? '') : clean.join(''), rest: text.slice(open) }
}

/** The first place where the rest of the text is the beginning of a longer literal; the end of the text if there is none. */
function findOpen(text: string, from: number, { literals, starts }: Patterns): number {
  const longest = literals[0]?.length ?? 0
  for (let at = Math.max(from, text.length - longest + 1); at < text.length; at += 1) {
    if (!starts.has(text.charCodeAt(at))) continue
    const end = text.slice(at)
    if (literals.some((literal) => literal.length > end.length && literal.startsWith(end))) return at
  }
  return text.length
}

interface Patterns {
  /** Finds the longest literal at the first place that has one; absent if there are no literals. */
  readonly pattern: RegExp | undefined
  /** In bytes, a character each; the longest first. */
  readonly literals: readonly string[]
  /** The codes of their first characters. */
  readonly starts: ReadonlySet<number>
}

function toPatterns(secrets: readonly string[]): Patterns {
  const usable = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
  const literals = [...new Set(usable.flatMap(spellings).map(toBytes))].sort((a, b) => b.length - a.length)
  const source = literals.map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|')
  return {
    pattern: literals.length === 0 ? undefined : new RegExp(source, 'g'),
    literals,
    starts: new Set(literals.map((literal) => literal.charCodeAt(0))),
  }
}

/** As given, percent-encoded as in a URL, as text of JSON, and in base64, also as a part of what is encoded. */
export function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const parts = [0, 1, 2].map((offset) => base64Within(bytes, offset)).filter((text) => text.length >= MIN_PART_LENGTH)
  return [secret, percentEncode(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('base64'), ...parts]
}

const MIN_PART_LENGTH = 12

/** What the base64 of any text surely holds if these bytes stand in it at a multiple of three plus `offset`. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const isWhole = (offset + bytes.length) % 3 === 0
  // Digits that also carry bits of the neighbouring bytes are not known.
  return text.replace(/={1,2}$/, '').slice(offset === 0 ? 0 : offset + 1, isWhole ? undefined : -1)
}

/** Also for a text with half a surrogate pair, which encodeURIComponent refuses. */
function percentEncode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString('utf8'))
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
