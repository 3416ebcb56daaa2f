import type { Session } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { LocalCommand, LocalInvocation } from '../client-command.ts'
import { print } from '../client/output.ts'
import {
  type Profile,
  checkProfileName,
  getProfile,
  loadProfiles,
  nameOf,
  profilesPath,
  saveProfiles,
  withProfile,
} from '../client/profiles.ts'
import { DEFAULT_SERVER, isLoopback, openSession, parseServer } from '../client/session.ts'
import { UsageError } from '../command.ts'

export const PROFILE_FLAG = { name: 'profile', value: 'name' } as const

export const loginCommand: LocalCommand = {
  kind: 'local',
  name: 'login',
  summary: 'Save a token for a server, after asking the server whose it is',
  details: [
    'The token is asked for at a terminal, or read from stdin; it is never an argument. Commands use that server from then on.',
  ].join('\n'),
  examples: [
    'slipway login https://slipway.example.com',
    'slipway login https://slipway.example.com --profile work < token.txt',
    'slipway tasks --profile work',
  ],
  words: [{ name: 'url', isOptional: true }],
  flags: [{ ...PROFILE_FLAG, description: 'What to call it; default: the host. One that exists is replaced' }],
  async run(invocation) {
    const { values, words, env, form, terminal, signal, readSecret } = invocation
    const path = profilesPath(env)
    const saved = loadProfiles(path)
    const given = values.get('profile')
    if (given !== undefined) checkProfileName(given)
    const known = saved.profiles.find(({ name }) => name === given)
    const url = parseServer(words[0] ?? known?.server ?? env['SLIPWAY_SERVER'] ?? DEFAULT_SERVER)
    const server = url.origin
    const name = given ?? nameOf(url)
    // Two origins of one host, http and https, must not share what nobody named.
    if (given === undefined && saved.profiles.some((one) => one.name === name && one.server !== server))
      throw new UsageError(`profile ${name} is for ${getProfile(saved, name).server}: name this one with --profile`)
    if (url.protocol === 'http:' && !isLoopback(url))
      terminal.err(`warning: ${server} is not https: others on the network can read the token\n`)
    const token = await readSecret(`Token for ${server}: `, signal)
    if (token === undefined) throw new UsageError('no token was given: type it when asked, or send it to stdin')
    if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('a token is one line of printable ASCII without blanks')
    const profile: Profile = { name, server, token }
    const who = await askWhose(profile, invocation)
    await saveProfiles(path, withProfile(saved, profile))
    print(terminal, form, { profile: name, server, name: who.name, scopes: who.scopes }, () => {
      const rights = who.scopes.length === 0 ? 'nothing' : who.scopes.join(', ')
      return `logged in to ${server} as ${who.name}, who may: ${rights}\nsaved as profile ${name} in ${path}; commands use it from now on\n`
    })
    return 0
  },
}

/** @throws Error if the server does not know the token, or needs none; then nothing is saved */
async function askWhose(
  { server, token }: Profile,
  { form, terminal, env, signal }: LocalInvocation,
): Promise<Session> {
  const warn = (text: string): void => terminal.err(`warning: ${text}\n`)
  const session = await openSession({ server, form, env: { ...env, SLIPWAY_TOKEN: token }, warn })
  const unknown = `${server} does not know this token; nothing was saved`
  try {
    const who = await session.api.getSession({ signal })
    if (who.name !== 'anonymous') return who
    throw new Error(who.scopes.length === 0 ? unknown : `${server} asks for no token; nothing was saved`)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) throw new Error(unknown, { cause: error })
    throw error
  } finally {
    await session.close()
  }
}
