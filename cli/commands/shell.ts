import { once } from 'node:events'
import type { ClientCommand } from '../client-command.ts'
import { UsageError } from '../command.ts'

/** Work under way: the agent alone writes there. */
const AT_WORK: readonly string[] = ['QUEUED', 'RUNNING']

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
    const { state, execution_id } = await session.api.getTask({ params: { id } }, { signal })
    if (execution_id === undefined) throw new UsageError(`shell: ${id} has not run yet: it is ${state}`)
    const { sandbox_dir: sandbox } = await session.api.getExecution({ params: { id: execution_id } }, { signal })
    if (sandbox === undefined) throw new UsageError(`shell: ${id} has no workspace yet`)
    const readOnly = AT_WORK.includes(state)
    // Other commands need nothing of the node.
    const { startShell } = await import('../sandbox-shell.ts')
    const child = await startShell({ sandbox, readOnly, command, isTerminal: style.isTerminal })
    const [code] = await once(child, 'exit')
    return typeof code === 'number' ? code : 1
  },
}
