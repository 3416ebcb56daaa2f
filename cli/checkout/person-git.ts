/**
 * Git as a person has it on their own machine, for files that an agent has written: with their configuration and logins, and
 * with everything off that such files could set in motion. lib/git.ts runs no hook, no monitor and no submodule; this adds
 * filters, of which attributes in the tree could choose any that the person has.
 */
import { homedir } from 'node:os'
import { type GitOptions, type GitSetting, git } from '../../lib/git.ts'
import { proxyVariables } from '../../lib/proxy-variables.ts'

export interface Person {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/**
 * Variables of git itself that a person logs in by, or names their configuration and certificates by. Those that could lead
 * git to another repository do not count.
 */
const PERSONAL = [
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_SSH_COMMAND',
  'GIT_SSH',
  'GIT_ASKPASS',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'GIT_SSL_CERT',
  'GIT_SSL_KEY',
  'GIT_SSL_NO_VERIFY',
]

/** What helpers of a person's git may read: all that is neither git's own, nor ours, nor the language that git speaks. */
function isOfHelpers(name: string): boolean {
  return !/^(?:GIT_|SLIPWAY_|LC_|LANG)/.test(name)
}

/**
 * Names that a file system or Windows could take for `.git` are refused everywhere. A folder of the tree that looks like a
 * repository is none, whoever stands in it.
 */
const STRICT: readonly GitSetting[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
]

/** Options for git of the person, outside of a working copy. */
export function personGit({ env, signal }: Person): GitOptions {
  const personal = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (PERSONAL.includes(name) || isOfHelpers(name)) ? [[name, value] as const] : [],
  )
  const isSystemOff = env['GIT_CONFIG_NOSYSTEM'] === '1'
  return {
    home: env['HOME'] ?? homedir(),
    env: {
      GIT_CONFIG_NOSYSTEM: isSystemOff ? '1' : '0',
      GIT_ALLOW_PROTOCOL: 'file:http:https:ssh',
      ...Object.fromEntries(personal),
      ...proxyVariables(env),
    },
    config: STRICT,
    signal,
  }
}

/** The same in a working copy, with every filter off that its configuration names: files are written as git stores them. */
export async function withoutFilters(options: GitOptions, cwd: string): Promise<GitOptions> {
  const there = { ...options, cwd }
  const wanted = ['--null', '--name-only', '--get-regexp', String.raw`^filter\.`]
  const { stdout } = await git(['config', ...wanted], { ...there, answers: [1] })
  const keys = stdout.toString('utf8').split('\0')
  const drivers = new Set(keys.flatMap((key) => /^(filter\..+)\.[^.]+$/.exec(key)?.[1] ?? []))
  const off = [...drivers].flatMap((driver): GitSetting[] => [
    [`${driver}.smudge`, ''],
    [`${driver}.clean`, ''],
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ])
  return { ...there, config: [...(options.config ?? []), ...off] }
}
