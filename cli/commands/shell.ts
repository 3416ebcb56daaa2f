import { once } from 'node:events'
import { constants } from 'node:os'
import type { ClientCommand } from '../client-command.ts'
import { findTaskWorkspace } from '../client/workspace.ts'

export const shellCommand: ClientCommand = {
  kind: 'client',
  name: 'shell',
  summary: "Open a shell in a task's workspace, in the sandbox that its agent works in",
  details: [
    'What the agent left in the workspace runs with no more rights than the agent had, and without its credentials: a look',
    'at it on the machine itself, with git for example, would run what its settings name. For servers on this machine that',
    'run executions in sandboxes. While the task is queued or runs, the workspace can only be read. Other programs than a',
    'shell: slipway shell <task> -- npm test.',
  ].join('\n'),
  examples: ['slipway shell add-login', 'slipway shell add-login -- git status'],
  words: [
    { name: 'task', mayBeShort: true },
    { name: 'command', isOptional: true, isRepeated: true },
  ],
  flags: [],
  async run({ session, words: [id = '', ...command], style, signal }) {
    const { sandbox, isAtWork: readOnly } = await findTaskWorkspace(session, { command: 'shell', id }, signal)
    const agents = await session.api.listAgents({}, { signal })
    const logins = agents.flatMap(({ credentials }) => credentials?.files?.map(({ path }) => path) ?? [])
    // Other commands need nothing of the node.
    const { startShell } = await import('../sandbox-shell.ts')
    const child = await startShell({ sandbox, readOnly, logins, command, isTerminal: style.isTerminal })
    signal.addEventListener('abort', () => child.kill())
    await once(child, 'exit')
    const { exitCode, signalCode } = child
    return exitCode ?? 128 + constants.signals[signalCode ?? 'SIGTERM']
  },
}
