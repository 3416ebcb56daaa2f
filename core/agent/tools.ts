/** Tools that people install below their home, as seen from a sandbox that shows little of it. */

interface ToolHome {
  /** Where it is unless the variable says otherwise, below the home. */
  readonly folder: string
  /** Tells programs where it is: inside a sandbox the home is another one. */
  readonly variable?: string
}

/** Folders of tool managers, each of which is needed whole. */
export const TOOL_HOMES: readonly ToolHome[] = [
  { folder: '.rustup', variable: 'RUSTUP_HOME' },
  { folder: '.pyenv', variable: 'PYENV_ROOT' },
  { folder: '.rbenv', variable: 'RBENV_ROOT' },
  { folder: '.nodenv', variable: 'NODENV_ROOT' },
  { folder: '.asdf', variable: 'ASDF_DATA_DIR' },
  { folder: '.volta', variable: 'VOLTA_HOME' },
  { folder: '.sdkman', variable: 'SDKMAN_DIR' },
  { folder: '.local/share/mise', variable: 'MISE_DATA_DIR' },
  { folder: '.nvm/versions' },
]

/** The variables that tell tools where they are; agents get them. */
export const TOOL_VARIABLES: readonly string[] = TOOL_HOMES.flatMap(({ variable }) => variable ?? [])

/** Holds the path of a file: programs on PATH that sandboxes do not show, one path a line. */
export const HIDDEN_TOOLS_VARIABLE = 'SLIPWAY_HIDDEN_TOOLS'

/** Words in which shells and env(1) name a command that they do not find. */
const NOT_FOUND = [
  /(?:^|: )([^\s:'"]+): (?:command )?not found$/m,
  /^\S*env: (?:can't execute )?['‘]([^'’\n]+)['’]: No such file or directory$/m,
]

/** The command that an output says was not found. */
export function findMissingCommand(output: string): string | undefined {
  return NOT_FOUND.map((pattern) => pattern.exec(output)?.[1]).find((name) => name !== undefined)
}

/**
 * The sentence that says where a command is, and how sandboxes can show it; undefined: it is not hidden.
 *
 * @param list content of the file that {@link HIDDEN_TOOLS_VARIABLE} names
 * @param command its name or path
 */
export function findHiddenTool(list: string, command: string): string | undefined {
  const path = list.split('\n').find((line) => line === command || line.endsWith(`/${command}`))
  if (path === undefined) return undefined
  const at = path.lastIndexOf('/')
  return `${path.slice(at + 1)} is in ${path.slice(0, at)}, which sandboxes do not show: add that folder to toolFolders of the configuration and start Slipway again (slipway doctor prints the setting)`
}
