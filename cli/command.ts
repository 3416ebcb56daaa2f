import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../lib/config-schema.ts'
import { suggest } from './suggest.ts'

/** A flag of one command, beside those that every setting has. */
export interface Flag {
  readonly name: string
  /** One letter: `-f` beside `--follow`. */
  readonly short?: string
  /** What stands for its value in the help; absent: it takes none. */
  readonly value?: string
  /** May be given several times. */
  readonly isRepeated?: boolean
  readonly description: string
}

/** A terminal that understands escape sequences, so that a text on it can be replaced. */
export interface Screen {
  size(): { readonly width: number; readonly height: number }
  /** Calls back whenever the size has changed; the returned function ends that. */
  onResize(callback: () => void): () => void
  /** Calls `leave` before Ctrl-Z stops the process, or when it ends, and `enter` when it goes on; the returned function ends that. */
  onSuspend(leave: () => void, enter: () => void): () => void
}

/** Where a command writes; tests pass their own. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** The terminal behind `out`; absent: it is a program or a file, or a terminal without escape sequences. */
  readonly outScreen?: Screen | undefined
  /** The same of `err`. */
  readonly errScreen?: Screen | undefined
  /** Asks a person for one line; undefined when it is empty or at its end. Absent: no person sits there. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string | undefined>
}

export interface Invocation<Settings = Config> {
  readonly config: Settings
  /** Absolute; the file that the configuration comes from, whether or not it exists. */
  readonly configFile: string
  /** Keys of the configuration that the person has chosen, as chosenSettings finds them. */
  readonly chosen: ReadonlySet<string>
  /** Names of the boolean flags that were given. */
  readonly switches: ReadonlySet<string>
  /** The command's own flags that take a text. */
  readonly values: ReadonlyMap<string, string>
  readonly terminal: Terminal
  /** Aborts on SIGINT and SIGTERM: finish what must be finished and return. */
  readonly signal: AbortSignal
}

/** What every command says of itself. */
export interface CommandText {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What a person needs to know beyond the flags. */
  readonly details?: string
  /** One to three lines as people type them; test/system/examples.test.ts runs each. */
  readonly examples: readonly [string, ...string[]]
  readonly flags: readonly Flag[]
}

/** A command that serves, or is about serving: it takes every setting. What talks to a server is a {@link ClientCommand}. */
export interface Command extends CommandText {
  readonly kind?: 'server'
  /** Keys of the settings that count for it, for the help; absent: all. */
  readonly settings?: readonly (keyof Config)[]
  /** @returns the exit code */
  readonly run: (invocation: Invocation) => Promise<number>
}

/** Something wrong in how a command was called; printed without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Flags that every command has which serves. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: 'config', value: 'value', description: 'Configuration file; default <dataDir>/config.yaml when it exists' },
  { name: 'help', short: 'h', description: 'Print this text' },
]

/** For commands that serve, or work on what a server keeps. */
export const CLUSTER_FLAG: Flag = {
  name: 'cluster',
  description: 'Use the cluster of KUBECONFIG in place of the embedded control plane',
}

/** Flags that earlier versions had, and what to use in their place. */
const FORMER_FLAGS: ReadonlyMap<string, string> = new Map([
  [
    'local-node',
    'a cluster runs executions as pods of its own nodes (the Helm chart, or --cluster with --image); to run them on this machine serve without a cluster',
  ],
])

/** Flags by name, and the words between them. @throws UsageError for a flag that is not listed, and for words where none may stand */
export function readArguments(
  command: string,
  flags: readonly Flag[],
  args: readonly string[],
  allowPositionals: boolean,
): { values: Record<string, unknown>; positionals: readonly string[] } {
  const unknown = findUnknownFlag(flags, args)
  if (unknown !== undefined) throw new UsageError(`${command}: ${unknown}\nSee: slipway ${command} --help`)
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const { name, short, value, isRepeated = false } of flags) {
    const type = value === undefined ? 'boolean' : 'string'
    options[name] = { type, multiple: isRepeated, ...(short === undefined ? {} : { short }) }
  }
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${error.message}\nSee: slipway ${command} --help`, { cause: error })
  }
}

/** Says which long flag is none of ours, and which one was likely meant; parseArgs guesses at something else. */
function findUnknownFlag(flags: readonly Flag[], args: readonly string[]): string | undefined {
  const names = flags.map(({ name }) => name)
  const end = args.indexOf('--')
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const name = /^--([^=]+)/.exec(arg)?.[1]
    if (name === undefined || names.includes(name)) continue
    const instead = FORMER_FLAGS.get(name)
    if (instead !== undefined) return `--${name} is gone: ${instead}`
    const meant = suggest(name, names)
    const wayOut = meant === undefined ? 'a text that begins with - goes behind --' : `did you mean --${meant}?`
    return `unknown flag --${name}; ${wayOut}`
  }
  return undefined
}

/** What the help of all commands begins with. */
export function helpText({ summary, details, examples }: CommandText, usage: string, flags: readonly Flag[]): string {
  const more = details === undefined ? '' : `\n${details}\n`
  const shown = examples.map((example) => `  ${example}\n`).join('')
  return `${summary}\n\nUsage: ${usage}\n${more}\nExamples:\n${shown}\nFlags:\n${columns(flagRows(flags))}\n`
}

/** Flags as rows for {@link columns}. */
function flagRows(flags: readonly Flag[]): { left: string; right: string }[] {
  return flags.map(({ name, short, value, description }) => ({
    left: `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`,
    right: description,
  }))
}

/** Two columns; the right one wraps below itself at 100 characters. */
export function columns(rows: readonly { left: string; right: string }[]): string {
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  return rows
    .map(({ left, right }) => `  ${left.padEnd(width)}${wrap(right, 98 - width).join(`\n  ${' '.repeat(width)}`)}`)
    .join('\n')
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? ''
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
