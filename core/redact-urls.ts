/** Secrets that URLs carry, taken out of texts that are printed or stored. */

const REDACTED = '[redacted]'

/** Users of http(s) that hosts have for everybody; the rules of the CRDs allow the same. Any other may be a token. */
const HOSTS_OWN_USER = /^(git|oauth2|x-access-token|x-token-auth|x-oauth-basic|gitlab-ci-token)$/

/**
 * `scheme://user:password@` and `scheme://token@`; a user that is no secret stays readable, as in `ssh://git@`.
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
      (scheme.toLowerCase() === 'ssh' && !userinfo.includes(':')) || HOSTS_OWN_USER.test(userinfo)
        ? whole
        : `://${REDACTED}@`,
    )
    .replace(QUERY_SECRET, `$1${REDACTED}`)
}

/** Whether a URL carries a secret: one that was stored before that was refused. */
export function hasSecret(url: string): boolean {
  return redactUrls(url) !== url
}

interface Stored {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec?: object
}

/** An object as it may be shown: without the secrets of its repository's URL, in annotations too. */
export function withoutUrlSecrets<T extends Stored>(object: T): T {
  const { annotations } = object.metadata
  const shown = annotations === undefined ? {} : { annotations: mapTexts(annotations, () => true) }
  const spec = object.spec === undefined ? {} : { spec: mapTexts(object.spec, (key) => REPOSITORY_FIELDS.has(key)) }
  return { ...object, metadata: { ...object.metadata, ...shown }, ...spec }
}

const REPOSITORY_FIELDS: ReadonlySet<string> = new Set(['repositoryUrl', 'remoteUrl'])

function mapTexts(fields: object, isShown: (key: string) => boolean): object {
  const entries: [string, unknown][] = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' && isShown(key) ? redactUrls(value) : value]),
  )
}
