/** Secrets that URLs carry, taken out of texts that are printed or stored. */

const REDACTED = '[redacted]'

/**
 * `scheme://user:password@` and `scheme://token@`; ssh's plain `ssh://git@` names no secret and stays readable.
 *
 * Begins at the colon and looks back from there: agents and remotes write what this reads, and a search that began at
 * every letter of a long word would take its length squared.
 */
const USERINFO = /:(?<=([a-z][a-z0-9+.-]*):)\/\/([^\s/?#'"<>]*)@/gi

/** Values of query parameters that carry a token by their name. */
const QUERY_SECRET = /([?&](?:access_token|private_token|token|key|password|sig|signature)=)[^\s&#'"]+/gi

/** Secrets in URLs replaced by `[redacted]`. */
export function redactUrls(text: string): string {
  return text
    .replace(USERINFO, (whole: string, scheme: string, userinfo: string) =>
      scheme.toLowerCase() === 'ssh' && !userinfo.includes(':') ? whole : `://${REDACTED}@`,
    )
    .replace(QUERY_SECRET, `$1${REDACTED}`)
}
