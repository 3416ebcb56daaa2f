import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, readFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { SCRIPT_AGENT } from '../../core/task/agent-spec.ts'
import { hasErrorCode, ifThere } from '../../lib/files.ts'
import type { AgentCommand } from './adapter.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { agentEnvironment } from './environment.ts'
import { describeHiddenTool } from './hidden-tools.ts'

/**
 * Finds out why a CLI could not be started. If the system does not find a program, the message names it and the way out,
 * and the agent is not to blame. Only a script names its interpreter itself.
 *
 * @returns a StepFailed (unavailable; failed for a script), or what the system says
 */
export async function findStartFailure(
  context: StepContext,
  child: ChildProcess,
  { command }: AgentCommand,
): Promise<unknown> {
  const [error]: unknown[] = await once(child, 'error').catch((reason: unknown) => [reason])
  if (!hasErrorCode(error, 'ENOENT', 'EACCES', 'ENOTDIR')) return error
  const { agent } = context.run
  if (agent.adapter === SCRIPT_AGENT) {
    const [, interpreter] = /^#!\s*(\S+)/.exec(await readFile(command, 'utf8').catch(() => '')) ?? []
    const cause = interpreter && (await describeHiddenTool(context, interpreter))
    return new StepFailed(
      'failed',
      `cannot start ${command}: ${cause ?? 'it, its interpreter or the clone is missing'}`,
    )
  }
  return new StepFailed('unavailable', `agent ${agent.name}: ${await formatStartFailureMessage(context, command)}`)
}

async function formatStartFailureMessage(context: StepContext, command: string): Promise<string> {
  const { clone } = context.paths
  if (!(await mayAccess(clone, constants.F_OK))) return `the clone ${clone} is gone`
  const path = await find(context, command)
  if (path === undefined) {
    return command.includes('/')
      ? `its command ${command} does not exist where it runs: correct spec.command, or install it there`
      : `its command ${command} is not on PATH where it runs: ${(await describeHiddenTool(context, command)) ?? 'install it there, or name its path in spec.command'}`
  }
  if (!(await mayAccess(path, constants.X_OK))) return `its command ${path} is not executable where it runs`
  return `its command ${path} cannot be started where it runs: its interpreter is missing there`
}

async function find(context: StepContext, command: string): Promise<string | undefined> {
  const folders = command.includes('/') ? [''] : (agentEnvironment(context)['PATH'] ?? '').split(delimiter)
  const candidates = folders.map((folder) => resolve(context.paths.clone, join(folder, command)))
  const found = await Promise.all(candidates.map((path) => mayAccess(path, constants.F_OK)))
  return candidates.find((_, i) => found[i])
}

async function mayAccess(path: string, mode: number): Promise<boolean> {
  const asking = access(path, mode).then(() => true)
  return (await ifThere(asking, 'ENOENT', 'EACCES', 'ENOTDIR')) === true
}
