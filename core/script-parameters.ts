/**
 * Names and parameters of scripts: what may reach the environment of a process that we start for a caller.
 *
 * A parameter becomes a variable only where the script names it, because programs read variables that no script means
 * to hand on: with TAR_OPTIONS a caller had every script that packs something run a command. What a script names is in
 * a comment of its own (`# slipway-parameters: TARGET DRY_RUN`), and without one what it uses (`$TARGET`).
 */

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9]{1,8})?$/
const PARAMETER = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Variables that decide which code is loaded, or that the server sets itself: never a caller's, whoever names them. */
const REFUSED =
  /^(PATH|HOME|SHELL|PWD|TMPDIR|LD_.*|DYLD_.*|NODE_.*|BASH_.*|ENV|IFS|CDPATH|GLOBIGNORE|SHELLOPTS|PS4|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|JDK_.*|GIT_.*|SSH_.*|XDG_.*|NPM_.*|DOCKER_.*|OPENSSL_.*|GCONV_PATH|KUBECONFIG|CURL_HOME|WGETRC|MAKEFLAGS|SLIPWAY_.*)$/
/** An environment of more is refused by no kernel, but by what reads it. */
const MAX_PARAMETERS = 64
const MAX_VALUE = 32 * 1024

/** Whether a script can have this name: one path segment that no shell, option parser or log takes for anything else. */
export function isScriptName(name: string): boolean {
  return NAME.test(name)
}

/** Why a script does not take a variable, and the way out; undefined for one that it takes. */
export type CheckVariable = (variable: string) => string | undefined

const DECLARATION = /^[ \t]*(?:#|\/\/|--|;)[ \t]*slipway-parameters:(.*)$/gim
/** The name in the ways in which shells (`$A`, `${A…`), Python, Node, Perl and Ruby (`"A"`, `env.A`, `{A}`) read a variable. */
const USE = /(?:\$\{?[#!]?|["'{]|\benv\.|\bprintenv )([A-Z_][A-Z0-9_]*)(?![A-Za-z0-9_])/g

/**
 * The parameters of a script file: those that it declares, else those that it uses. A file that does not begin with `#!`
 * is a program whose words are not its own alone: it takes none.
 */
export function checkByFile(text: string): CheckVariable {
  if (!text.startsWith('#!')) return () => 'programs take no parameters: call it from a script that begins with #!'
  const declared = declaredIn(text)
  if (declared !== undefined)
    return checkByNames(
      declared,
      (variable) => `to take it, it must say: # slipway-parameters: ${[...declared, variable].join(' ')}`,
    )
  const wayOut = (variable: string): string =>
    `to take it, it must use $${variable}, or say in a comment: # slipway-parameters: ${variable}`
  return checkByUse(text, 'the script', wayOut)
}

/** What a script tells about itself, for the list of scripts. */
export interface ScriptFacts {
  readonly description?: string
  /** Variables that callers may set, in capitals: those that it declares in their order, else those that it uses. */
  readonly parameters: readonly string[]
}

const DESCRIPTION = /^[ \t]*(?:#|\/\/|--|;)[ \t]*slipway-description:[ \t]*(\S.*)$/im
const MAX_DESCRIPTION = 200

/** The facts of a script file, by the same rules as {@link checkByFile}. */
export function describeFile(text: string): ScriptFacts {
  if (!text.startsWith('#!')) return { parameters: [] }
  const description = DESCRIPTION.exec(text)?.[1]?.trim().slice(0, MAX_DESCRIPTION)
  const declared = declaredIn(text)
  const parameters = settable(declared ?? usedIn(text))
  return { ...(description === undefined ? {} : { description }), parameters }
}

/** The parameters of a shell command, by the same rules as {@link checkByCommand}. */
export function describeCommand(command: string): readonly string[] {
  return settable(usedIn(command))
}

function settable(names: Iterable<string>): readonly string[] {
  const allowed = [...new Set(names)].filter((name) => PARAMETER.test(name) && !REFUSED.test(name))
  return allowed.slice(0, MAX_PARAMETERS)
}

/** The parameters of a shell command: those that it uses. */
export function checkByCommand(command: string): CheckVariable {
  return checkByUse(command, 'deployCommand', (variable) => `to take it, it must use $${variable}`)
}

/** Those of that list. */
export function checkByNames(names: readonly string[], wayOut?: (variable: string) => string): CheckVariable {
  const only = names.length === 0 ? 'the script takes no parameters' : `the script takes ${names.join(', ')} only`
  return (variable) => {
    if (names.includes(variable)) return undefined
    return wayOut === undefined ? only : `${only}; ${wayOut(variable)}`
  }
}

/** Undefined where the script declares nothing, which is not the same as that it takes nothing. */
function declaredIn(text: string): readonly string[] | undefined {
  const lines = [...text.matchAll(DECLARATION)].map(([, names = '']) => names)
  if (lines.length === 0) return undefined
  return lines.flatMap((names) => names.toUpperCase().split(/[\s,]+/)).filter((name) => name !== '')
}

function usedIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(USE)].flatMap(([, name]) => name ?? []))
}

function checkByUse(text: string, what: string, wayOut: (variable: string) => string): CheckVariable {
  const used = usedIn(text)
  return (variable) => (used.has(variable) ? undefined : `${what} does not use it; ${wayOut(variable)}`)
}

export type ScriptVariables =
  | { readonly ok: true; readonly variables: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string }

/** Query parameters as environment variables, names in upper case; or what is wrong with the first that cannot be one. */
export function toScriptVariables(
  query: Readonly<Record<string, string>>,
  checkVariable: CheckVariable,
): ScriptVariables {
  const variables = new Map<string, string>()
  for (const [name, value] of Object.entries(query)) {
    const variable = name.toUpperCase()
    const problem = checkParameter(name, variable, value) ?? checkVariable(variable)
    if (problem !== undefined) return { ok: false, message: `${name}: ${problem}` }
    if (variables.has(variable)) return { ok: false, message: `${name}: given more than once` }
    variables.set(variable, value)
  }
  if (variables.size > MAX_PARAMETERS) return { ok: false, message: `at most ${MAX_PARAMETERS} parameters` }
  return { ok: true, variables: Object.fromEntries(variables) }
}

function checkParameter(name: string, variable: string, value: string): string | undefined {
  if (!PARAMETER.test(name)) return 'is no name of a parameter: letters, digits and _, not a digit first'
  if (REFUSED.test(variable)) return 'is not for callers to set'
  if (value.includes('\0')) return 'must not hold NUL'
  if (value.length > MAX_VALUE) return `must be at most ${MAX_VALUE} characters`
  return undefined
}
