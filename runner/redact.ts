/** Keeps secrets out of everything that is printed or stored: what URLs carry, and literal values known to us. */
import { redactUrls } from '../core/redact-urls.ts'

const REDACTED = '[redacted]'

/** Shorter values than this are too likely to be ordinary words. */
const MIN_SECRET_LENGTH = 4

export type Redact = (text: string) => string

/** A function that takes secrets out of a text: userinfo and tokens of URLs, and every one of `secrets`. */
export function makeRedactor(secrets: readonly string[]): Redact {
  const literals = [...new Set(secrets.flatMap(spellings))]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length)
  return (text) => {
    const withoutLiterals = literals.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
    return redactUrls(withoutLiterals)
  }
}

/** As given, percent-encoded as in a URL, and as Basic authentication would carry it. */
function spellings(secret: string): string[] {
  return [secret, percentEncode(secret), Buffer.from(secret).toString('base64')]
}

/** Also for a text with half a surrogate pair, which encodeURIComponent refuses. */
function percentEncode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString('utf8'))
}
