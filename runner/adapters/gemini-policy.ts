import { join } from 'node:path'
import type { AllowedTools } from '../../core/agent/allowed-tools.ts'
import { readAllowedTools, SHELL } from '../../core/agent/allowed-tools.ts'
import { writeFileAtomic } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { warnIgnoredTools } from './command.ts'

const EDIT = ['replace']
const AGENTS = ['invoke_agent']

/** The contract's names → tools of gemini 0.61.0; its own names are understood as well. */
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Read: ['read_file', 'read_many_files'],
    Write: ['write_file'],
    Edit: EDIT,
    MultiEdit: EDIT,
    [SHELL]: ['run_shell_command', 'list_background_processes', 'read_background_output'],
    Grep: ['grep_search'],
    Glob: ['glob'],
    LS: ['list_directory'],
    WebFetch: ['web_fetch'],
    WebSearch: ['google_web_search'],
    TodoWrite: ['write_todos'],
    Agent: AGENTS,
    Task: AGENTS,
    Skill: ['activate_skill'],
  }),
)

const OWN = new Set([...TOOLS.values()].flat())

/** Only says what the conversation is about. */
const ALWAYS = ['update_topic']

/**
 * Arguments by which the CLI itself refuses every tool that is not allowed: rules of the tier that goes before those of
 * the home and the repository. Tools without any rule for them are not even offered to the model.
 *
 * Not in yolo mode when there is a list: that one lets an allowed `git status` write any file by `>`.
 */
export async function geminiPermissions(context: StepContext): Promise<readonly string[]> {
  const { allowedTools } = context.run.agent
  if (allowedTools === undefined) return ['--yolo']
  const allowed = readAllowedTools(allowedTools)
  warnIgnoredTools(
    context,
    'gemini',
    [...allowed.names].filter((name) => toolsOf(name).length === 0).concat(allowed.conditional),
  )
  const file = join(context.tmp, 'policy.toml')
  await writeFileAtomic(file, makePolicy(allowed), 0o600)
  return ['--approval-mode', 'default', '--admin-policy', file]
}

function toolsOf(name: string): readonly string[] {
  return TOOLS.get(name) ?? (OWN.has(name) ? [name] : [])
}

/** Rules in the format of the CLI's policy engine; of several that fit the one of higher priority decides. */
export function makePolicy({ names, shellPrefixes, servers }: AllowedTools): string {
  const tools = [...ALWAYS, ...[...names].flatMap(toolsOf)]
  return [
    rule({ toolName: '*' }, 'deny', 998),
    rule({ toolName: tools, allowRedirection: true }, 'allow', 999),
    ...shellPrefixes.map((commandPrefix) => rule({ toolName: 'run_shell_command', commandPrefix }, 'allow', 999)),
    ...[...servers].map(([mcpName, some]) => rule({ mcpName, toolName: some === 'all' ? '*' : some }, 'allow', 999)),
  ].join('\n')
}

/** A text, a list of texts or a truth value is the same in TOML as in JSON. */
function rule(condition: Readonly<Record<string, unknown>>, decision: 'allow' | 'deny', priority: number): string {
  const lines = Object.entries({ ...condition, decision, priority }).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}`,
  )
  return ['[[rule]]', ...lines, ''].join('\n')
}
