/** Which server a client command talks to, and with which saved token. The order stands in docs/cli.md, "Servers and tokens". */
import { UsageError } from '../command.ts'
import { type Profile, type Profiles, findProfileOf, getProfile } from './profiles.ts'
import { DEFAULT_SERVER, parseServer } from './session.ts'

/** What a person may have said about the server. */
export interface ServerWish {
  readonly server?: string | undefined
  readonly profile?: string | undefined
}

export interface ServerQuestion {
  /** From the command line. */
  readonly flags: ServerWish
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether kubectl's flags, or being its plugin, ask for a cluster. */
  readonly wantsCluster: boolean
  /** Called only if it matters what is saved. */
  readonly load: () => Profiles
}

export type ServerChoice =
  | { readonly kind: 'cluster' }
  /** `by`: what named the server, ahead of a cluster. */
  | { readonly kind: 'server'; readonly server: string; readonly by?: string; readonly saved?: Profile | undefined }

/**
 * Decides in this order: `--server` or `--profile`, `SLIPWAY_SERVER` or `SLIPWAY_PROFILE`, a cluster, the current
 * profile, the server of this machine.
 *
 * @throws UsageError for a profile that is not there, and for a server and a profile in the same place
 */
export function chooseServer({ flags, env, wantsCluster, load }: ServerQuestion): ServerChoice {
  const { SLIPWAY_SERVER: server, SLIPWAY_PROFILE, SLIPWAY_TOKEN: token = '' } = env
  const profile = SLIPWAY_PROFILE === '' ? undefined : SLIPWAY_PROFILE
  // A given token comes first, so a file that cannot be read is in nobody's way.
  const toServer = (url: string, by?: string): ServerChoice => ({
    kind: 'server',
    server: url,
    ...(by === undefined ? {} : { by }),
    saved: token === '' ? findProfileOf(load(), parseServer(url).origin) : undefined,
  })
  const choose = (wish: ServerWish, names: readonly [string, string]): ServerChoice | undefined => {
    if (wish.server !== undefined && wish.profile !== undefined)
      throw new UsageError(`${names.join(' and ')} both name a server: give one of them`)
    if (wish.server !== undefined) return toServer(wish.server, names[0])
    if (wish.profile === undefined) return undefined
    const saved = getProfile(load(), wish.profile)
    return { kind: 'server', server: saved.server, by: names[1], saved }
  }
  const asked =
    choose(flags, ['--server', '--profile']) ?? choose({ server, profile }, ['SLIPWAY_SERVER', 'SLIPWAY_PROFILE'])
  if (asked !== undefined) return asked
  if (wantsCluster) return { kind: 'cluster' }
  const profiles = load()
  if (profiles.current === undefined) return toServer(DEFAULT_SERVER)
  const saved = getProfile(profiles, profiles.current)
  return { kind: 'server', server: saved.server, saved }
}
