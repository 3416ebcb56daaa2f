import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The keywords of a structural schema that the generator reads; the rest is carried along untouched. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
}

export interface Crd {
  /** File name in crds/, for messages. */
  readonly file: string
  readonly kind: string
  readonly schema: Schema
}

interface CrdFile {
  readonly spec: {
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[]
  }
}

/** The order in which the kinds are printed: what a reader meets first comes first. */
const KINDS = ['Task', 'Execution', 'Story', 'StoryEvent', 'Epic', 'Project', 'Agent']

/**
 * Reads every CustomResourceDefinition of a folder.
 *
 * @throws Error when a file has no version or a kind that has no place in the order above
 */
export function readCrds(folder: string): Crd[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return files.map((file) => readCrd(folder, file)).sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

function readCrd(folder: string, file: string): Crd {
  const parsed: CrdFile = parse(readFileSync(join(folder, file), 'utf8'))
  const [version] = parsed.spec.versions
  const { kind } = parsed.spec.names
  if (version === undefined) throw new Error(`${file}: no version`)
  if (!KINDS.includes(kind)) throw new Error(`${file}: kind ${kind} is unknown to tools/crds.ts`)
  return { file, kind, schema: version.schema.openAPIV3Schema }
}
