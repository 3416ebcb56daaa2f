/**
 * Keeps secrets out of everything that is printed or stored: what URLs carry, and literal values known to us, as they
 * are and as they stand in a URL, in JSON and in base64.
 *
 * Of values that could begin at the same place the longest is taken, and the first one goes before those that overlap with it. A
 * stream comes to the same whatever pieces it comes in: what could be the beginning of a value, and nothing else, waits for
 * the next piece, so memory is bounded by the longest value and a line by its own end.
 */
import { redactUrls } from '../core/redact-urls.ts'

const REDACTED = '[redacted]'

/** Shorter values than this are too likely to be ordinary words. */
const MIN_SECRET_LENGTH = 4

export type Redact = (text: string) => string

/** A function that takes secrets out of a text: userinfo and tokens of URLs, and every one of `secrets`. */
export function makeRedactor(secrets: readonly string[]): Redact {
  const { pattern } = toPatterns(secrets)
  return (text) => redactUrls(pattern === undefined ? text : fromBytes(toBytes(text).replace(pattern, REDACTED)))
}

/** Takes secrets out of a stream of bytes. */
export interface StreamRedactor {
  /** What of the stream is known to be free of secrets with this piece. */
  push(chunk: Buffer): Buffer
  /** What waited for a next piece. */
  end(): Buffer
}

/** Without URLs: they are a matter of messages of git, and what an agent prints stays as it is otherwise. */
export function createStreamRedactor(secrets: readonly string[]): StreamRedactor {
  const patterns = toPatterns(secrets)
  const { pattern } = patterns
  const nothing = Buffer.alloc(0)
  // In text of one byte a character: a secret may lie in bytes that are no UTF-8, or be cut within a character.
  let held = ''
  if (pattern === undefined) return { push: (chunk) => chunk, end: () => nothing }
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
  }
}

/** A stream of chunks without the secrets that are in it; its first chunk is asked for within the call that asks for ours. */
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
  /** What may become a secret, or a longer one, with what comes next. */
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

/** The first place from which on all of the text is the beginning of a longer literal; its end if there is none. */
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
  /** Finds the longest literal at the first place that has one; absent: there is none. */
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
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const parts = [0, 1, 2].map((offset) => base64Within(bytes, offset)).filter((text) => text.length >= MIN_PART_LENGTH)
  return [secret, percentEncode(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('base64'), ...parts]
}

const MIN_PART_LENGTH = 12

/** What the base64 of any text is sure to hold when these bytes come in it after a multiple of three, and `offset`. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const isWhole = (offset + bytes.length) % 3 === 0
  // Digits that carry bits of what stands before or behind are not known.
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
