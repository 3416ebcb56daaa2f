import { type JSONSchema, compile } from 'json-schema-to-typescript'
import type { Crd, Schema } from './crds.ts'
import { findTypeName } from './type-names.ts'

const METADATA = `/** The part of ObjectMeta that we read or write, of built-in kinds too; the server may send more. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly generateName?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
}

/** Within one namespace; the object is collected when its last owner is gone. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}
`

/** Prints the TypeScript types of all kinds; names, descriptions, enums and required fields come from the schemas. */
export async function renderTypes(crds: readonly Crd[]): Promise<string> {
  const definitions: Record<string, JSONSchema> = {}
  for (const crd of crds) definitions[crd.kind] = kindSchema(crd, definitions)
  return `// Generated from crds/ by tools/generate.ts; do not edit.\nimport type { Text } from '../text.ts'\n\n${METADATA}\n${await printTypes(definitions)}`
}

/** An exported type for each definition, readonly throughout; they refer to each other as `#/definitions/<name>`. */
export async function printTypes(definitions: Record<string, JSONSchema>): Promise<string> {
  const document: JSONSchema = { title: 'Kinds', type: 'object', definitions, additionalProperties: false }
  const printed = await compile(document, 'Kinds', {
    bannerComment: '',
    additionalProperties: false,
    declareExternallyReferenced: true,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 120, trailingComma: 'all' },
  })
  return tidy(printed)
}

/** Our own words for what is the same in every kind: apiVersion and kind as literals, metadata as ObjectMeta. */
function kindSchema(crd: Crd, definitions: Record<string, JSONSchema>): JSONSchema {
  const { spec, status } = crd.schema.properties ?? {}
  return {
    type: 'object',
    description: crd.schema.description ?? '',
    required: ['apiVersion', 'kind', 'metadata', ...(crd.schema.required ?? [])],
    properties: {
      apiVersion: { const: 'slipway.dev/v1alpha1' },
      kind: { const: crd.kind },
      metadata: { tsType: 'ObjectMeta' },
      ...(spec && { spec: convert(spec, `${crd.kind}.spec`, definitions) }),
      ...(status && { status: convert(status, `${crd.kind}.status`, definitions) }),
    },
  }
}

/**
 * The schema as the printer wants it; one with a name moves to `definitions` and leaves a reference behind, and
 * nothing else: with a sibling of $ref the printer makes a copy of the type under a numbered name.
 */
function convert(schema: Schema, path: string, definitions: Record<string, JSONSchema>): JSONSchema {
  const { description = '' } = schema
  const converted = { description, ...convertBody(schema, path, definitions) }
  const name = findTypeName(path)
  if (name === undefined) return converted
  const known = definitions[name]
  if (known !== undefined && shape(known) !== shape(converted)) throw new Error(`${path}: another ${name} exists`)
  definitions[name] ??= converted
  return { $ref: `#/definitions/${name}` }
}

function convertBody(schema: Schema, path: string, definitions: Record<string, JSONSchema>): JSONSchema {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return { tsType: 'Readonly<Record<string, unknown>>' }
  if (schema.enum !== undefined) return { enum: [...schema.enum] }
  if (schema.items) return { type: 'array', items: convert(schema.items, `${path}[]`, definitions) }
  if (schema.additionalProperties)
    return { type: 'object', additionalProperties: convert(schema.additionalProperties, `${path}{}`, definitions) }
  if (schema.properties) return convertObject(schema, path, definitions)
  if (isProse(schema, path)) return { tsType: `Text<${schema.maxLength}>` }
  return { type: SCALARS[schema.type ?? ''] ?? 'string' }
}

/** From this length on a text of a status is one for people, part of which may come from outside. */
const PROSE_LENGTH = 1024
/** Fields of that length which are of no use when they are cut. */
const NO_PROSE = /(Dir|Path|url|workspace|files\[\]|conflicts\[\]|options\[\]|conditions\[\]\.reason)$/

function isProse({ type, maxLength = 0 }: Schema, path: string): boolean {
  return path.includes('.status.') && type === 'string' && maxLength >= PROSE_LENGTH && !NO_PROSE.test(path)
}

const SCALARS: Readonly<Record<string, 'number' | 'boolean' | 'string'>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

function convertObject(schema: Schema, path: string, definitions: Record<string, JSONSchema>): JSONSchema {
  const fields = Object.entries(schema.properties ?? {})
  const properties = fields.map(([name, field]) => [name, convert(field, `${path}.${name}`, definitions)])
  return { type: 'object', properties: Object.fromEntries(properties), required: [...(schema.required ?? [])] }
}

/** A schema without its descriptions, as text, to compare two. */
function shape(schema: JSONSchema): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  )
}

/** What the printer cannot be told: readonly everywhere, no wrapper type, no note of where a type came from, a comment of one line in one line. */
function tidy(printed: string): string {
  return printed
    .replace('export interface Kinds {}\n', '')
    .replaceAll(/ \*\n \* This interface was referenced by .*\n \* via the .*\n/g, '')
    .replaceAll(/\n+\/\*\*\n/g, '\n\n/**\n')
    .replaceAll(/^(\s+)(\w+\??:|\[k: string\]:)/gm, '$1readonly $2')
    .replaceAll(/: (\w+)\[\]$/gm, ': readonly $1[]')
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\/$/gm, '/** $1 */')
}
