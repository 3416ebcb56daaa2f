/** Commands for people: each calls the REST API of a running server, and has none of the server's settings. */
import { parseDuration } from '../core/time.ts'
import { type CommandText, type Flag, type Terminal, helpText, readArguments, UsageError } from './command.ts'
import type { OutputForm } from './client/output.ts'
import type { RecordKind } from './client/record-fields.ts'
import type { Session } from './client/session.ts'
import type { Style } from './client/style.ts'

/** A positional argument of a command. */
export interface Word {
  readonly name: string
  readonly isOptional?: boolean
  /** May stand several times; only the last one can. */
  readonly isRepeated?: boolean
  /** Whether an id may be cut to a beginning that no other task has. Not where a slip destroys something. */
  readonly mayBeShort?: boolean
}

export interface ClientInvocation {
  /** One for each declared word, or more of a repeated one; an optional one that was left out is missing. */
  readonly words: readonly string[]
  /** Names of the boolean flags that were given. */
  readonly switches: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  readonly lists: ReadonlyMap<string, readonly string[]>
  readonly session: Session
  readonly terminal: Terminal
  /** For stdout. */
  readonly style: Style
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal
}

export interface ClientCommand extends CommandText {
  readonly kind: 'client'
  readonly words: readonly Word[]
  /** What it prints one of, or a list of: the fields that `--json` chooses from. Absent: what comes tells. */
  readonly prints?: RecordKind
  /** @returns the exit code */
  readonly run: (invocation: ClientInvocation) => Promise<number>
}

/** What a {@link LocalCommand} is called with: it opens its own connections, if any. */
export interface LocalInvocation extends Omit<ClientInvocation, 'session'> {
  readonly form: OutputForm
  readonly env: Readonly<Record<string, string | undefined>>
  /** Asks for a secret without showing it, or reads it from stdin; undefined if there is none. */
  readonly readSecret: (question: string, signal: AbortSignal) => Promise<string | undefined>
}

/** A command for people that needs no session with a server. */
export interface LocalCommand extends CommandText {
  readonly kind: 'local'
  readonly words: readonly Word[]
  /** @returns the exit code */
  readonly run: (invocation: LocalInvocation) => Promise<number>
}

/** Flags that every {@link LocalCommand} has beside its own. */
const LOCAL_FLAGS: readonly Flag[] = [
  {
    name: 'output',
    short: 'o',
    value: 'form',
    description: 'table (default), name (ids alone), json, yaml or jsonpath=<template>, as kubectl takes it',
  },
  { name: 'json', value: 'fields', description: 'JSON of these fields alone, such as id,state,name' },
  {
    name: 'jq',
    short: 'q',
    value: 'program',
    description: 'What this jq program makes of the JSON; texts are printed without quotes',
  },
  {
    name: 'color',
    value: 'when',
    description: 'auto (default: on a terminal, unless NO_COLOR is set), always or never',
  },
  { name: 'help', short: 'h', description: 'Print this text' },
]

const COMMON: readonly Flag[] = [
  {
    name: 'server',
    value: 'url',
    description:
      'Server to talk to [SLIPWAY_SERVER]; default: that of the profile or cluster, else http://127.0.0.1:8080. Its token is SLIPWAY_TOKEN, or the saved one',
  },
  { name: 'profile', value: 'name', description: 'Server and token that slipway login has saved [SLIPWAY_PROFILE]' },
  ...LOCAL_FLAGS,
]

/** Flags of kubectl, with its meanings: they choose a server in a cluster. */
export const OF_KUBECTL: readonly Flag[] = [
  {
    name: 'namespace',
    short: 'n',
    value: 'name',
    description: 'Talk to the server in that namespace of a cluster; default: that of the context',
  },
  { name: 'context', value: 'name', description: 'Context of the kubeconfig; default: its current one' },
  { name: 'kubeconfig', value: 'file', description: 'Default: those of KUBECONFIG, or ~/.kube/config' },
]

/** Flags that every client command has beside its own. */
const CLIENT_FLAGS: readonly Flag[] = [...COMMON, ...OF_KUBECTL]

/** All flags of a command. */
export function flagsOfClient({ kind, flags }: ClientCommand | LocalCommand): readonly Flag[] {
  return [...flags, ...(kind === 'client' ? CLIENT_FLAGS : LOCAL_FLAGS)]
}

const LEADING = CLIENT_FLAGS.filter(({ value }) => value !== undefined)

/** Puts the command first: users of kubectl are used to `-n <namespace>` before it, and others to `--server <url>`. */
export function commandFirst(args: readonly string[]): readonly string[] {
  let count = 0
  for (let width = widthOfFlag(args[0]); width > 0; width = widthOfFlag(args[count])) count += width
  const [command, ...rest] = args.slice(count)
  return command === undefined ? args : [command, ...args.slice(0, count), ...rest]
}

/** How many arguments a flag that every client command has takes up with its value: `-nx` 1, `-n x` 2; 0 for all others. */
function widthOfFlag(arg = ''): number {
  for (const { name, short } of LEADING) {
    if (arg === `--${name}` || arg === `-${short}`) return 2
    if (arg.startsWith(`--${name}=`) || (short !== undefined && arg.startsWith(`-${short}`))) return 1
  }
  return 0
}

/** The parsed arguments of a command. */
export interface ClientArguments extends Pick<ClientInvocation, 'words' | 'switches' | 'values' | 'lists'> {
  /** Flags of kubectl that were given. */
  readonly ofKubectl: readonly string[]
}

/** @throws UsageError for a flag that the command does not have, and for a word too many or too few */
export function parseClientArguments(
  command: ClientCommand | LocalCommand,
  args: readonly string[],
): ClientArguments | 'help' {
  const { values, positionals } = readArguments(command.name, flagsOfClient(command), args, true)
  if (values['help'] === true) return 'help'
  checkWords(command, positionals)
  const given = Object.entries(values)
  return {
    words: positionals,
    switches: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
    values: new Map(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    lists: new Map(given.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))),
    ofKubectl: OF_KUBECTL.filter(({ name }) => values[name] !== undefined).map(({ name }) => `--${name}`),
  }
}

function checkWords({ name, words }: ClientCommand | LocalCommand, given: readonly string[]): void {
  const missing = words.find((word, i) => word.isOptional !== true && given[i] === undefined)
  const extra = words.at(-1)?.isRepeated === true ? undefined : given[words.length]
  if (missing === undefined && extra === undefined) return
  const what =
    missing === undefined
      ? `${name}: one word too many, ${JSON.stringify(extra)}; a text of several words needs quotes`
      : `${name}: the ${missing.name} is missing`
  throw new UsageError(`${what}\nUsage: ${usage({ name, words })}\nSee: slipway ${name} --help`)
}

function usage({ name, words }: Pick<ClientCommand, 'name' | 'words'>): string {
  const shown = words.map(({ name, isOptional, isRepeated }) => {
    const word = isRepeated === true ? `<${name}>...` : `<${name}>`
    return isOptional === true ? `[${word}]` : word
  })
  return ['slipway', name, ...shown, '[flags]'].join(' ')
}

/** The text of `slipway <command> --help`. */
export function clientHelp(command: ClientCommand | LocalCommand): string {
  return helpText(command, usage(command), flagsOfClient(command))
}

/** Milliseconds. @throws UsageError that names the flag */
export function readDurationMs(flag: string, duration: string): number {
  try {
    return parseDuration(duration)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--${flag}: not a duration such as 45m or 1h30m: ${JSON.stringify(duration)}`, {
      cause: error,
    })
  }
}
