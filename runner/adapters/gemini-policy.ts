import { join } from 'node:path'
import { type AllowedTools, readAllowedTools, SHELL } from '../../core/agent/allowed-tools.ts'
import { writeFileAtomic } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { warnIgnoredTools } from './command.ts'

const EDIT = ['replace']
const AGENTS = ['invoke_agent']

/** Tools of gemini 0.61.0 by the contract's names; its own names are understood as well. */
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

/** It only names the topic of the conversation. */
const ALWAYS = ['update_topic']

/**
 * Arguments that make the CLI refuse every tool that is not allowed. The rules are of the tier that overrides those of the
 * home and the repository. The model is not even offered a tool without a rule.
 *
 * With a list the CLI must not run in yolo mode, where an allowed `git status` can write any file with `>`.
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

/** Rules in the format of the CLI's policy engine. If several match, the one of higher priority decides. */
export function makePolicy({ names, shellPrefixes, servers }: AllowedTools): string {
  const tools = [...ALWAYS, ...[...names].flatMap(toolsOf)]
  return [
    rule({ toolName: '*' }, 'deny', 998),
    rule({ toolName: tools, allowRedirection: true }, 'allow', 999),
    ...shellPrefixes.map((commandPrefix) => rule({ toolName: 'run_shell_command', commandPrefix }, 'allow', 999)),
    ...[...servers].map(([mcpName, some]) => rule({ mcpName, toolName: some === 'all' ? '*' : some }, 'allow', 999)),
  ].join('\n')
}

/** A string, a list of strings and a boolean are the same in TOML and JSON. */
function rule(condition: Readonly<Record<string, unknown>>, decision: 'allow' | 'deny', priority: number): string {
  const lines = Object.entries({ ...condition, decision, priority }).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}`,
  )
  return ['[[rule]]', ...lines, ''].join('\n')
}
