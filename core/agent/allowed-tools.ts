/** The tools that an agent may use, as the contract names them, in a form that adapters turn into their CLI's own. */
export interface AllowedTools {
  /** Tools allowed whatever they are told to do, such as `Read`. */
  readonly names: ReadonlySet<string>
  /** Shell commands allowed alone: what stands before the star of `Bash(git *)` or `Bash(git:*)`. */
  readonly shellPrefixes: readonly string[]
  /** Servers of tools (`mcp__<server>`, `mcp__<server>__<tool>`) → their tools that are allowed, or all of them. */
  readonly servers: ReadonlyMap<string, readonly string[] | 'all'>
  /** Names with conditions that only claude can evaluate, such as `Edit(src/**)`. */
  readonly conditional: readonly string[]
}

const SERVER = /^mcp__((?:(?!__).)+)(?:__(.+))?$/
const CONDITIONAL = /^([^()]+)\((.*)\)$/s
const SHELL_PREFIX = /^([^*]*[^*:\s])(?::| )\*$/

/** Reads the names of a list; no name is lost, and none allows more than it says. */
export function readAllowedTools(list: readonly string[]): AllowedTools {
  const names = new Set<string>()
  const servers = new Map<string, readonly string[] | 'all'>()
  const shellPrefixes: string[] = []
  const conditional: string[] = []
  for (const item of list) {
    const [, server, tool = '*'] = SERVER.exec(item) ?? []
    const [, name, condition = ''] = CONDITIONAL.exec(item) ?? []
    const prefix = name === SHELL ? SHELL_PREFIX.exec(condition)?.[1] : undefined
    if (server !== undefined) servers.set(server, withTool(servers.get(server), tool))
    else if (name === undefined) names.add(item)
    else if (condition === '*') names.add(name)
    else if (prefix === undefined) conditional.push(item)
    else shellPrefixes.push(prefix)
  }
  return { names, shellPrefixes, servers, conditional }
}

/** The contract's name of the tool that runs commands. */
export const SHELL = 'Bash'

function withTool(known: readonly string[] | 'all' = [], tool: string): readonly string[] | 'all' {
  return known === 'all' || tool === '*' ? 'all' : [...known, tool]
}
