import { once } from 'node:events'
import { constants } from 'node:os'
import type { ClientCommand } from '../client-command.ts'
import { UsageError } from '../command.ts'

/** Work under way: the agent alone writes there. */
const AT_WORK: readonly string[] = ['QUEUED', 'RUNNING']

const ELSEWHERE =
  'run slipway shell where it is, with --server http://127.0.0.1:<port>. In a cluster the page of the run shows the command'

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
    // The folder, and what is seen beside it, is what the server says.
    if (!session.isLocal) throw new UsageError(`shell: ${session.server} is not on this machine; ${ELSEWHERE}`)
    const { state, execution_id } = await session.api.getTask({ params: { id } }, { signal })
    if (execution_id === undefined) throw new UsageError(`shell: ${id} has not run yet: it is ${state}`)
    const { sandbox_dir: sandbox } = await session.api.getExecution({ params: { id: execution_id } }, { signal })
    if (sandbox === undefined) throw new UsageError(`shell: ${id} has no workspace yet`)
    const agents = await session.api.listAgents({}, { signal })
    const logins = agents.flatMap(({ credentials }) => credentials?.files?.map(({ path }) => path) ?? [])
    const readOnly = AT_WORK.includes(state)
    // Other commands need nothing of the node.
    const { startShell } = await import('../sandbox-shell.ts')
    const child = await startShell({ sandbox, readOnly, logins, command, isTerminal: style.isTerminal })
    signal.addEventListener('abort', () => child.kill())
    await once(child, 'exit')
    const { exitCode, signalCode } = child
    return exitCode ?? 128 + constants.signals[signalCode ?? 'SIGTERM']
  },
}
