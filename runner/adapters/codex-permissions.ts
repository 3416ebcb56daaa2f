/**
 * What codex (0.169.0) may do when its task names the tools.
 *
 * It has no tools of its own for reading, searching or editing: it runs commands for all of that. So the commands are
 * restricted. Without `Bash` they run in codex' own sandbox, which has no network and lets them write nothing; with
 * `Write` or `Edit` they may write the clone and the contract's files. If no tool may read or write, there are no commands.
 */
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type AllowedTools, readAllowedTools, SHELL } from '../../core/agent/allowed-tools.ts'
import { DROPS_PATH } from '../../core/execution/layout.ts'
import { agentEnvironment } from '../agent/environment.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import type { McpEntry } from '../agent/mcp-servers.ts'
import { commandOf, warnIgnoredTools } from './command.ts'

const READING = ['Read', 'Grep', 'Glob', 'LS', 'NotebookRead']
const WRITING = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']
const AGENTS = ['Agent', 'Task']
const SEARCHING = ['WebSearch']
const KNOWN = new Set([SHELL, ...READING, ...WRITING, ...AGENTS, ...SEARCHING])

/** Tools of codex that have no name in the contract. */
const NAMELESS = ['apps', 'plugins', 'browser_use', 'computer_use', 'image_generation']

/** Where commands run: anywhere, in codex' own sandbox, or nowhere. */
type Commands = 'free' | 'workspace-write' | 'read-only' | 'none'

const BYPASS = '--dangerously-bypass-approvals-and-sandbox'

/** Arguments by which the CLI itself refuses what is not allowed. @throws StepFailed (unavailable) */
export async function codexPermissions(context: StepContext): Promise<readonly string[]> {
  const { allowedTools } = context.run.agent
  if (allowedTools === undefined) return [BYPASS]
  const allowed = readAllowedTools(allowedTools)
  const ignored = [...allowed.names].filter((name) => !KNOWN.has(name))
  const prefixes = allowed.shellPrefixes.map((prefix) => `${SHELL}(${prefix} *)`)
  warnIgnoredTools(context, 'codex', [...ignored, ...prefixes, ...allowed.conditional])
  const commands = commandsOf(allowed)
  const features = settingsOf(featuresOf(allowed, commands))
  if (commands === 'free') return [BYPASS, ...features]
  const sandbox = settingsOf(sandboxOf(context, commands))
  if (commands !== 'none' && !(await canSandbox(context, sandbox)))
    return [BYPASS, ...withoutSandbox(context, features)]
  // Rules of the home or the repository could let commands out of the sandbox.
  return ['--skip-git-repo-check', '--ignore-rules', ...sandbox, ...features]
}

/** Adds to each allowed server which of its tools are allowed: some, or all. */
export function limitServers(
  list: readonly string[] | undefined,
  entries: readonly McpEntry[],
): readonly CodexServer[] {
  const servers = readAllowedTools(list ?? []).servers
  return entries.map((entry) => {
    const tools = servers.get(entry.name) ?? 'all'
    return tools === 'all' ? entry : { ...entry, tools }
  })
}

/** A server, with the tools that may be used if not all may. */
export type CodexServer = McpEntry & { readonly tools?: readonly string[] }

function commandsOf({ names }: AllowedTools): Commands {
  if (names.has(SHELL)) return 'free'
  if (WRITING.some((name) => names.has(name))) return 'workspace-write'
  return READING.some((name) => names.has(name)) ? 'read-only' : 'none'
}

function featuresOf({ names }: AllowedTools, commands: Commands): Readonly<Record<string, unknown>> {
  const has = (some: readonly string[]): boolean => some.some((name) => names.has(name))
  const nameless = NAMELESS.map((feature) => [`features.${feature}`, false])
  return {
    ...Object.fromEntries(nameless),
    ...(commands === 'none' ? { 'features.shell_tool': false } : {}),
    ...(has(['Read', SHELL]) ? {} : { 'features.view_image': false }),
    ...(has(AGENTS) ? {} : { 'features.multi_agent': false }),
    ...(has(SEARCHING) ? {} : { web_search: 'disabled' }),
  }
}

function sandboxOf({ paths, run }: StepContext, commands: Commands): Readonly<Record<string, unknown>> {
  const mode = { approval_policy: 'never', sandbox_mode: commands === 'workspace-write' ? commands : 'read-only' }
  const roots = [paths.agentOutput, join(run.volumeRoot, DROPS_PATH)]
  const workspace = {
    'sandbox_workspace_write.writable_roots': roots,
    'sandbox_workspace_write.network_access': false,
    // The step's own folder for temporary files stays writable.
    'sandbox_workspace_write.exclude_slash_tmp': true,
  }
  return commands === 'workspace-write' ? { ...mode, ...workspace } : mode
}

/** A string, a list of strings and a boolean are the same in TOML and JSON. */
export function settingsOf(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}

const PROBE_MS = 30_000

/** Its sandbox needs a user namespace, which most pods do not get, and sandboxes of our own node never get. */
async function canSandbox(context: StepContext, settings: readonly string[]): Promise<boolean> {
  const { command, args } = commandOf(context.run, 'codex', ['sandbox', ...settings, '--', 'true'])
  const options = {
    cwd: context.paths.clone,
    env: agentEnvironment(context),
    timeout: PROBE_MS,
    signal: context.signal,
  }
  return promisify(execFile)(command, [...args], options).then(
    () => true,
    () => false,
  )
}

/** An answer keeps nothing but its text, so it may run without the sandbox. Work may not: its task demands the limits. */
function withoutSandbox({ run, say }: StepContext, features: readonly string[]): readonly string[] {
  const reason = 'the sandbox of codex cannot start here (it needs user namespaces)'
  if (run.answerSchema === undefined)
    throw new StepFailed(
      'unavailable',
      `${reason}, so codex cannot be held to the allowed tools: allow ${SHELL} as well, or run the task with another agent`,
    )
  say(`${reason}: it may run any command in its throw-away clone`)
  return features
}
