import type { LocalCommand } from '../client-command.ts'
import { chooseServer } from '../client/choose-server.ts'
import { print, table } from '../client/output.ts'
import { getProfile, loadProfiles, profilesPath, saveProfiles, withoutProfile } from '../client/profiles.ts'
import { UsageError } from '../command.ts'
import { PROFILE_FLAG } from './login.ts'

export const logoutCommand: LocalCommand = {
  kind: 'local',
  name: 'logout',
  summary: 'Forget a saved token',
  details: 'The server still accepts the token: to end it, remove it there.',
  examples: ['slipway logout --profile work'],
  words: [],
  flags: [{ ...PROFILE_FLAG, description: 'Default: SLIPWAY_PROFILE, else the current one' }],
  async run({ values, env, form, terminal }) {
    const path = profilesPath(env)
    const saved = loadProfiles(path)
    const fromEnv = env['SLIPWAY_PROFILE'] === '' ? undefined : env['SLIPWAY_PROFILE']
    const asked = values.get('profile') ?? fromEnv ?? saved.current
    if (asked === undefined)
      throw new UsageError('no profile is current: name one with --profile, see slipway profiles')
    const { name, server } = getProfile(saved, asked)
    await saveProfiles(path, withoutProfile(saved, name))
    print(terminal, form, { profile: name, server }, () => `forgot the token of profile ${name} for ${server}\n`)
    return 0
  },
}

export const profilesCommand: LocalCommand = {
  kind: 'local',
  name: 'profiles',
  summary: 'List saved logins, and choose the one that commands use',
  details: 'Tokens are not shown.',
  examples: ['slipway profiles', 'slipway profiles --use work'],
  words: [],
  flags: [{ name: 'use', value: 'name', description: 'Use this one from now on' }],
  async run({ values, env, form, terminal, style }) {
    const path = profilesPath(env)
    const use = values.get('use')
    const loaded = loadProfiles(path)
    const saved = use === undefined ? loaded : { ...loaded, current: getProfile(loaded, use).name }
    if (use !== undefined) await saveProfiles(path, saved)
    const choice = chooseServer({ flags: {}, env, wantsCluster: false, load: () => saved })
    const used = choice.kind === 'server' ? choice.saved?.name : undefined
    const list = saved.profiles.map(({ name, server }) => ({ name, server, used: name === used }))
    print(terminal, form, list, () =>
      list.length === 0
        ? 'No profiles. Save one: slipway login <url>\n'
        : table(
            ['PROFILE', 'SERVER', 'USED'],
            list.map((one) => [one.name, one.server, one.used ? 'yes' : '']),
            style,
          ),
    )
    return 0
  },
}
