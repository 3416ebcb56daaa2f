/** What could stand at the cursor of a command line, from what the commands say of themselves. */
import { TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import { STATS_WINDOWS } from '../../core/enum-values.ts'
import { type ClientCommand, type LocalCommand, flagsOfClient } from '../client-command.ts'
import { type Command, type Flag, COMMON_FLAGS } from '../command.ts'
import { SETTING_FLAGS } from '../setting-flags.ts'
import { SHELLS } from './shells.ts'

/** Either the words themselves, or what they name: a running server knows those. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'tasks' | 'stories' | 'epics' | 'projects' | 'agents' }

const NONE: Candidates = { kind: 'words', words: [] }

/** What a word or the value of a flag stands for, by its name. */
const BY_NAME: Readonly<Record<string, Candidates>> = {
  task: { kind: 'tasks' },
  story: { kind: 'stories' },
  epic: { kind: 'epics' },
  project: { kind: 'projects' },
  agent: { kind: 'agents' },
  state: { kind: 'words', words: TASK_STATE_VALUES },
  color: { kind: 'words', words: ['auto', 'always', 'never'] },
  method: { kind: 'words', words: ['GET', 'POST', 'PUT', 'DELETE'] },
  output: { kind: 'words', words: ['table', 'name', 'json', 'yaml', 'jsonpath='] },
  shell: { kind: 'words', words: SHELLS },
  since: { kind: 'words', words: STATS_WINDOWS },
  action: { kind: 'words', words: ['list', 'get', 'put'] },
  'ls|build|log|rm': { kind: 'words', words: ['ls', 'build', 'log', 'rm'] },
}

/** @param words those behind `slipway`; the last one is the one at the cursor, which may be empty */
export function findCandidates(
  commands: readonly (Command | ClientCommand | LocalCommand)[],
  words: readonly string[],
): Candidates {
  const [name, ...rest] = words
  if (rest.length === 0) return { kind: 'words', words: ['help', ...commands.map((command) => command.name)] }
  if (name === 'help') return { kind: 'words', words: commands.map((command) => command.name) }
  const command = commands.find((one) => one.name === name)
  if (command === undefined) return NONE
  const flags = flagsOf(command)
  const [current = '', before = ''] = rest.toReversed()
  const ahead = findFlag(flags, before)
  if (ahead?.value !== undefined) return BY_NAME[ahead.name] ?? NONE
  if (current.startsWith('-')) return { kind: 'words', words: flags.map((flag) => `--${flag.name}`) }
  return command.kind === 'client' ? wordAt(command, countWords(flags, rest.slice(0, -1))) : NONE
}

function wordAt({ words }: ClientCommand, at: number): Candidates {
  const last = words.at(-1)
  const word = words[at] ?? (last?.isRepeated === true ? last : undefined)
  return (word && BY_NAME[word.name]) ?? NONE
}

/** Flags and their values are no words of the command. */
function countWords(flags: readonly Flag[], given: readonly string[]): number {
  let count = 0
  for (let i = 0; i < given.length; i++) {
    const flag = findFlag(flags, given[i] ?? '')
    if (flag?.value !== undefined) i++
    else if (!(given[i] ?? '').startsWith('-')) count++
  }
  return count
}

function findFlag(flags: readonly Flag[], word: string): Flag | undefined {
  return flags.find(({ name, short }) => word === `--${name}` || (short !== undefined && word === `-${short}`))
}

function flagsOf(command: Command | ClientCommand | LocalCommand): readonly Flag[] {
  if (command.kind === 'client' || command.kind === 'local') return flagsOfClient(command)
  return [...command.flags, ...SETTING_FLAGS, ...COMMON_FLAGS]
}
