import { createHash } from 'node:crypto'

/** A record as it goes over the wire. `T` is a phantom: the type of the record. */
export interface Representation<T> {
  /** A list comes encoded, so that one that is kept is encoded once. */
  readonly json: string | Buffer
  /** Entity tag with its quotes (RFC 9110 §8.8.3); absent where there is no version to name. */
  readonly etag?: string
  readonly record?: T
}

/** The record as JSON, without entity tag. */
export function represent<T>(record: T): Representation<T> {
  return { json: JSON.stringify(record) }
}

/** An entity tag of a resourceVersion and of what is shown beside the resource itself. */
export function entityTag(version: string, derived = ''): string {
  return derived === '' ? `"${version}"` : `"${version}.${shortHash(derived)}"`
}

/** The resourceVersion inside an entity tag that {@link entityTag} made. */
export function versionInTag(etag: string): string {
  return /^(?:W\/)?"([^".]*)/.exec(etag)?.[1] ?? ''
}

/** Whether `If-None-Match` names this tag; compared weakly, as RFC 9110 §13.1.2 asks. */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  const strong = (tag: string): string => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag))
}

/** Several representations as one JSON array, written piece by piece: as a text first, a long list would be there twice. */
export function joinRepresentations<T>(parts: readonly Representation<T>[], etag?: string): Representation<T[]> {
  const texts = parts.map((part) => String(part.json))
  const separators = Math.max(0, texts.length - 1)
  const json = Buffer.alloc(texts.reduce((size, text) => size + Buffer.byteLength(text), separators + 2))
  let end = json.write('[')
  for (const [i, text] of texts.entries()) {
    if (i > 0) end += json.write(',', end)
    end += json.write(text, end)
  }
  json.write(']', end)
  return etag === undefined ? { json } : { json, etag }
}

/** Enough of SHA-256 to tell versions apart; not a secret. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
