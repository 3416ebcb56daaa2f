/** Finds the files that ship beside the code, from the path of the running file. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../core/shell.ts'

/** dist/cli for the compiled files, dist/bin for the bundle; both are two levels below the package. */
const here = dirname(fileURLToPath(import.meta.url))
const packageRoot = join(here, '..', '..')

/** What tools/build.mjs wrote about this build. */
export interface Build {
  readonly version: string
  /** Full hash, or "" when the build was not made from a git checkout. */
  readonly commit: string
  /** RFC 3339. */
  readonly builtAt: string
}

export function readBuild(): Build {
  const content: unknown = JSON.parse(readFileSync(join(here, '..', 'build.json'), 'utf8'))
  const facts = new Map<string, unknown>(Object.entries(Object(content)))
  return {
    version: String(facts.get('version')),
    commit: String(facts.get('commit')),
    builtAt: String(facts.get('builtAt')),
  }
}

/**
 * What a person types before a command of this program: `slipway`, or `npx …` where npm puts it on no PATH but its own.
 * Out of a release that npx has unpacked it names that file: `npx slipway` would look for the name in a registry.
 *
 * @param env the environment, where npm names the script or program that it runs (docs.npmjs.com, "scripts")
 */
export function typedProgram(env: NodeJS.ProcessEnv): string {
  if (env['npm_lifecycle_event'] === undefined) return 'slipway'
  if (!packageRoot.includes(`${sep}_npx${sep}`)) return 'npx slipway'
  const unpacked = join(packageRoot, '..', '..')
  const content: unknown = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const [file] = Object.values(Object(Object(content)['dependencies']))
  return `npx ${shellWord(`file:${resolve(unpacked, String(file).replace(/^file:/, ''))}`)}`
}

/** Files of the page at /api/docs. */
export function apiDocsFolder(): string {
  return join(here, '..', 'api-docs')
}

/** Files of the browser UI. */
export function uiFolder(): string {
  return join(here, '..', 'ui')
}

/** The CRDs of crds/, one per kind, as the build parsed them: parsing the YAML took a tenth of a start. */
export function readCrds(): unknown[] {
  const crds: unknown = JSON.parse(readFileSync(join(here, '..', 'crds.json'), 'utf8'))
  if (!Array.isArray(crds)) throw new Error('crds.json of this build is not a list: build again')
  return crds
}

/** Command line of the runner; the step's name is appended. */
export function runnerCommand(): string[] {
  return [process.execPath, join(packageRoot, 'dist', 'bin', 'runner', 'runner.js')]
}

/** Command line that plays the recordings of an agent's CLI, whose name is appended. */
export function replayCommand(): string[] {
  return [process.execPath, join(packageRoot, 'dist', 'bin', 'replay.js')]
}

/** Files of the demo beside that program: the recordings, and the shop that its agents work on. */
export function demoFolder(name: 'recordings' | 'shop'): string {
  return join(packageRoot, 'dist', 'bin', name)
}

/** Paths that a sandboxed container needs besides the system: Node, and our bundles, which need no node_modules. */
export function imagePaths(): string[] {
  return [process.execPath, join(packageRoot, 'dist', 'bin')]
}

/** The checkout or installed package that this code runs from. */
export function packageFolder(): string {
  return packageRoot
}
