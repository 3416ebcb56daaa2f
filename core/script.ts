/** Names and parameters of scripts: what may reach the environment of a process that we start for a caller. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9]{1,8})?$/
const PARAMETER = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Variables that decide which code is loaded, or that the server sets itself (specification §8.26). */
const REFUSED =
  /^(PATH|HOME|SHELL|PWD|TMPDIR|LD_.*|DYLD_.*|NODE_.*|BASH_.*|ENV|IFS|CDPATH|GLOBIGNORE|SHELLOPTS|PS4|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|JDK_.*|GIT_.*|SSH_.*|XDG_.*|NPM_.*|DOCKER_.*|OPENSSL_.*|GCONV_PATH|KUBECONFIG|CURL_HOME|WGETRC|MAKEFLAGS|SLIPWAY_.*)$/
/** An environment of more is refused by no kernel, but by what reads it. */
const MAX_PARAMETERS = 64
const MAX_VALUE = 32 * 1024

/** Whether a script can have this name: one path segment that no shell, option parser or log takes for anything else. */
export function isScriptName(name: string): boolean {
  return NAME.test(name)
}

export type ScriptParameters =
  | { readonly ok: true; readonly variables: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string }

/** Query parameters as environment variables, names in upper case; or what is wrong with the first that cannot be one. */
export function toScriptVariables(query: Readonly<Record<string, string>>): ScriptParameters {
  const variables = new Map<string, string>()
  for (const [name, value] of Object.entries(query)) {
    const variable = name.toUpperCase()
    const problem = judge(name, variable, value) ?? (variables.has(variable) ? 'given more than once' : undefined)
    if (problem !== undefined) return { ok: false, message: `${name}: ${problem}` }
    variables.set(variable, value)
  }
  if (variables.size > MAX_PARAMETERS) return { ok: false, message: `at most ${MAX_PARAMETERS} parameters` }
  return { ok: true, variables: Object.fromEntries(variables) }
}

function judge(name: string, variable: string, value: string): string | undefined {
  if (!PARAMETER.test(name)) return 'is no name of a parameter: letters, digits and _, not a digit first'
  if (REFUSED.test(variable)) return 'is not for callers to set'
  if (value.includes('\0')) return 'must not hold NUL'
  if (value.length > MAX_VALUE) return `must be at most ${MAX_VALUE} characters`
  return undefined
}
