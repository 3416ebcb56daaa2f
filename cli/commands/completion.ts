import { ApiFailure } from '../../core/rest/client/call.ts'
import type { ClientCommand, ClientInvocation, LocalCommand } from '../client-command.ts'
import { ServerUnreachable } from '../client/session.ts'
import { printable } from '../client/text.ts'
import { type Command, UsageError } from '../command.ts'
import type { Candidates } from '../completion/candidates.ts'
import { SHELLS } from '../completion/shells.ts'

/** Nobody waits longer for a key. */
const LIMIT_MS = 2_000
const NEWEST = 200
/** Asked by the scripts: what follows is the line as far as it was typed. */
const ASK = 'candidates'

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_slipway() {
  local IFS=$'\\n'
  COMPREPLY=($(slipway completion ${ASK} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _slipway slipway
`,
  zsh: `#compdef slipway
_slipway() {
  local -a found
  found=("\${(@f)$(slipway completion ${ASK} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _slipway slipway
`,
  fish: `complete -c slipway -f -a '(slipway completion ${ASK} -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

/** @param commands all of the program, which this one is among */
export function createCompletionCommand(
  commands: () => readonly (Command | ClientCommand | LocalCommand)[],
): ClientCommand {
  return {
    kind: 'client',
    name: 'completion',
    summary: 'Print a script that completes commands, flags and names in your shell',
    details: [
      'bash: put  source <(slipway completion bash)  into ~/.bashrc',
      'zsh:  put  source <(slipway completion zsh)  into ~/.zshrc, behind compinit',
      'fish: slipway completion fish > ~/.config/fish/completions/slipway.fish',
      'Names of tasks, stories, projects and agents come from the server that commands use.',
    ].join('\n'),
    examples: ['source <(slipway completion bash)'],
    words: [{ name: 'shell' }, { name: 'word', isOptional: true, isRepeated: true }],
    flags: [],
    async run(invocation) {
      const { terminal, words } = invocation
      const [shell = '', ...line] = words
      if (shell === ASK) {
        const start = line.at(-1) ?? ''
        const { findCandidates } = await import('../completion/candidates.ts')
        const found = await namesOf(findCandidates(commands(), line), invocation)
        terminal.out(
          found
            .filter((name) => name.startsWith(start))
            .map((name) => `${printable(name)}\n`)
            .join(''),
        )
        return 0
      }
      const known = SHELLS.find((one) => one === shell)
      if (known === undefined || line.length > 0)
        throw new UsageError(`completion: the shell must be one of ${SHELLS.join(', ')}`)
      terminal.out(SCRIPTS[known])
      return 0
    },
  }
}

/** None where no server answers: a message would stand in the middle of what somebody types. */
async function namesOf(candidates: Candidates, { session, signal }: ClientInvocation): Promise<readonly string[]> {
  if (candidates.kind === 'words') return candidates.words
  const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]) }
  try {
    switch (candidates.kind) {
      case 'tasks':
        return (await session.api.listTasks({ query: { limit: NEWEST } }, options)).map(({ id }) => id)
      case 'stories':
        return (await session.api.listStories({}, options)).map(({ id }) => id)
      case 'epics':
        return (await session.api.listEpics({}, options)).map(({ id }) => id)
      case 'projects':
        return (await session.api.listProjects({}, options)).map(({ id }) => id)
      case 'agents':
        return (await session.api.listAgents({}, options)).map(({ id }) => id)
      default:
        return candidates satisfies never
    }
  } catch (error) {
    const isAway = error instanceof ServerUnreachable || error instanceof ApiFailure
    if (isAway || options.signal.aborted) return []
    throw error
  }
}
