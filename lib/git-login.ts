/** User and password for git over http(s), without either in arguments, on disk or in a clone. */
import type { GitOptions, GitSetting } from './git.ts'
import type { GitUrl } from './git-url.ts'

export interface GitLogin {
  readonly username: string
  readonly password: string
}

// Answers git from variables of its environment, so that no secret is in arguments, on disk or in the clone.
const HELPER =
  '!answer() { test "$1" = get || exit 0; printf "username=%s\\npassword=%s\\n" "$SLIPWAY_GIT_USERNAME" "$SLIPWAY_GIT_PASSWORD"; }; answer'

/** What stands in front of the `@` of a URL; undefined without. */
export function loginOf({ username, password }: GitUrl): GitLogin | undefined {
  if (username === undefined && password === undefined) return undefined
  return { username: username ?? 'git', password: password ?? '' }
}

/** The secret that a URL carries, or ''. A user name without a password is a token; several hosts take one in this way. */
export function secretOf({ username, password }: GitUrl): string {
  return password ?? username ?? ''
}

/** Offers a login to the scheme and host of the URL, and to no other. */
export function loginOptions(
  url: GitUrl,
  { username, password }: GitLogin,
): Required<Pick<GitOptions, 'env' | 'config'>> {
  const context = `credential.${url.protocol}://${url.host}`
  const config: GitSetting[] = [
    // An empty value drops helpers configured elsewhere, so that none of them stores what is ours.
    [`${context}.helper`, ''],
    [`${context}.helper`, HELPER],
    ['core.askPass', '/bin/true'],
  ]
  return { env: { SLIPWAY_GIT_USERNAME: username, SLIPWAY_GIT_PASSWORD: password }, config }
}
