import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The repository's crds/, seen from the compiled test. */
export const CRD_FOLDER = join(import.meta.dirname, '..', '..', '..', 'crds')

/** A schema with the keywords that the tests look at. */
export interface SchemaNode {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode
  readonly items?: SchemaNode
  readonly required?: readonly string[]
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-validations'?: readonly Rule[]
}

export interface Rule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly fieldPath?: string
}

interface Column {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly priority?: number
}

export interface CrdDocument {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly scope: string
    readonly names: {
      readonly kind: string
      readonly plural: string
      readonly shortNames: readonly string[]
      readonly categories: readonly string[]
    }
    readonly versions: readonly [
      {
        readonly name: string
        readonly subresources?: { readonly status?: object }
        readonly selectableFields?: readonly { readonly jsonPath: string }[]
        readonly additionalPrinterColumns: readonly Column[]
        readonly schema: { readonly openAPIV3Schema: SchemaNode }
      },
    ]
  }
}

/** Every CRD of the repository. */
export function readDocuments(): CrdDocument[] {
  const files = readdirSync(CRD_FOLDER).filter((name) => name.endsWith('.yaml'))
  return files.map((file) => parse(readFileSync(join(CRD_FOLDER, file), 'utf8')) as CrdDocument)
}

export function schemaOf(crd: CrdDocument): SchemaNode {
  return crd.spec.versions[0].schema.openAPIV3Schema
}

/** Every schema below `root` with its path: `spec.dependsOn`, `spec.dependsOn[]`, `spec.labels{}`. */
export function* walk(root: SchemaNode, path = ''): Generator<{ path: string; node: SchemaNode }> {
  yield { path, node: root }
  for (const [name, child] of Object.entries(root.properties ?? {}))
    yield* walk(child, path === '' ? name : `${path}.${name}`)
  if (root.items !== undefined) yield* walk(root.items, `${path}[]`)
  if (root.additionalProperties !== undefined) yield* walk(root.additionalProperties, `${path}{}`)
}

/** The field that a JSONPath of a column or a selectable field names, without its filter. */
export function findField(crd: CrdDocument, jsonPath: string): SchemaNode | undefined {
  const steps = jsonPath
    .replace(/\[\?\([^)]*\)\]/, '.[]')
    .split('.')
    .slice(1)
  return steps.reduce(
    (node: SchemaNode | undefined, step) => (step === '[]' ? node?.items : node?.properties?.[step]),
    schemaOf(crd),
  )
}
