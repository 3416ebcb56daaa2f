import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { leaveOut } from '../helpers/leave-out.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..', '..')

/** One rendered object; the tests ask for parts of it by path, so nothing is presumed of its shape. */
export interface Rendered {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, unknown>>
    readonly annotations?: Readonly<Record<string, unknown>>
  }
  readonly [field: string]: unknown
}

/** The values without which nothing is rendered. */
export const TOKEN = { auth: { tokenSecret: { name: 'api-token' } } }

/** Leaves out what `context` belongs to where this machine has no helm. */
export function needHelm(context: Mocha.Context): void {
  if (spawnSync('helm', ['version', '--short']).status !== 0) leaveOut(context, 'helm is not on PATH')
}

/**
 * What `helm template` prints, as text.
 *
 * @throws Error with what helm says, if it refuses the values
 */
export async function renderText(
  values: object,
  { chart = 'slipway', namespace = 'work' }: { readonly chart?: string; readonly namespace?: string } = {},
): Promise<string> {
  const args = ['template', 'agents', join(ROOT, 'charts', chart), '--namespace', namespace, '--values', '-']
  const child = run('helm', args, { maxBuffer: 32 * 1024 * 1024 })
  child.child.stdin?.end(JSON.stringify(values))
  return (await child).stdout
}

/**
 * Asks `helm lint --strict`.
 *
 * @throws Error with what helm says, if a chart has a fault
 */
export async function lint(chart: string, ...args: readonly string[]): Promise<void> {
  await run('helm', ['lint', '--strict', join(ROOT, 'charts', chart), ...args])
}

/**
 * Every object of a text of manifests.
 *
 * @throws Error for YAML that cannot be read, a key that stands twice, or an empty document
 */
export function parseManifests(text: string): Rendered[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0]
    const object = document.toJS() as Rendered | null
    if (object === null) throw new Error(`an empty document in:\n${text}`)
    return object
  })
}

/** Renders and parses. */
export async function render(
  values: object,
  options: { readonly chart?: string; readonly namespace?: string } = {},
): Promise<Rendered[]> {
  return parseManifests(await renderText(values, options))
}

/** What lies below `path`; undefined where a step leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined,
    value,
  )
}

/** The only object of a kind and name. */
export function find(objects: readonly Rendered[], kind: string, name: string): Rendered {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name)
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} of ${kind} ${name}`)
  return found[0]
}

/** The spec of every pod that the objects make, by the object's name. */
export function podSpecs(objects: readonly Rendered[]): [name: string, spec: unknown][] {
  return objects.flatMap((object) => {
    const spec = object.kind === 'Pod' ? at(object, 'spec') : at(object, 'spec', 'template', 'spec')
    return spec === undefined ? [] : [[`${object.kind} ${object.metadata.name}`, spec] as [string, unknown]]
  })
}

/** A list inside an object; empty where there is none. */
export function list(value: unknown, ...path: readonly (string | number)[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? (found as unknown[]) : []
}

/** What operator and API server read. */
export function configOf(objects: readonly Rendered[]): unknown {
  return parse(String(at(find(objects, 'ConfigMap', 'slipway-config'), 'data', 'config.yaml')))
}
