import type { Environment } from '@marcbachmann/cel-js'
import { type JsonObject, type JsonValue, fieldOf, isObject, jsonEquals } from '../json.ts'
import type { SchemaNode } from '../node.ts'

/** How CEL sees the values of one place of a schema. */
export interface CelType {
  /** As in a signature: `string`, `list<Object.spec.item>`. */
  readonly name: string
  /** Absent where JSON already is what CEL expects. */
  readonly convert?: (raw: JsonValue) => unknown
}

/** Symbol, so that no property of a custom resource can collide with it. */
const RAW = Symbol('raw JSON')

/** An object of a declared type; its fields are accessors of the subclass, converted when a rule asks for them. */
class CelObject {
  readonly [RAW]: JsonObject

  constructor(raw: JsonObject) {
    this[RAW] = raw
  }
}

const STRING: SchemaNode = {
  location: '',
  type: 'string',
  intOrString: false,
  preserveUnknown: false,
  properties: new Map(),
  listType: 'atomic',
  listMapKeys: [],
  constraints: { required: [], isDateTime: false },
  anyOf: [],
  rules: [],
}

const METADATA_NAMES: readonly (readonly [string, SchemaNode])[] = [
  ['name', STRING],
  ['generateName', STRING],
]

/** The types declared in one environment: which names are taken, and which node has which type. */
export interface TypeDeclarations {
  readonly env: Environment
  readonly names: Set<string>
  readonly types: Map<SchemaNode, CelType | undefined>
}

export function makeTypeDeclarations(env: Environment): TypeDeclarations {
  return { env, names: new Set(), types: new Map() }
}

/**
 * The CEL type of a node, declared on first use; undefined where the schema says nothing that CEL could use.
 *
 * Only what the schema declares has a field, so that a misspelt name is refused when the CRD is created; integers
 * become BigInt by their schema type, because CEL tells `int` and `double` apart. Objects are wrapped, not copied.
 */
export function declareType(declared: TypeDeclarations, node: SchemaNode, suggestedName: string): CelType | undefined {
  if (!declared.types.has(node)) declared.types.set(node, typeFor(declared, node, suggestedName))
  return declared.types.get(node)
}

function typeFor(declared: TypeDeclarations, node: SchemaNode, name: string): CelType | undefined {
  if (node.intOrString) return { name: 'dyn', convert: (raw) => (typeof raw === 'number' ? BigInt(raw) : raw) }
  switch (node.type) {
    case 'integer':
      return { name: 'int', convert: (raw) => (typeof raw === 'number' ? BigInt(raw) : raw) }
    case 'number':
      return { name: 'double' }
    case 'boolean':
      return { name: 'bool' }
    case 'string':
      return node.constraints.isDateTime
        ? { name: 'google.protobuf.Timestamp', convert: timestampFrom }
        : { name: 'string' }
    case 'array':
      return listType(declared, node, name)
    case 'object':
      return objectType(declared, node, name)
    case undefined:
      return undefined
    default:
      return node.type satisfies never
  }
}

function listType(declared: TypeDeclarations, node: SchemaNode, name: string): CelType | undefined {
  const item = node.items && declareType(declared, node.items, `${name}.item`)
  if (item === undefined) return undefined
  const { convert } = item
  const items = (raw: JsonValue): readonly unknown[] => {
    if (!Array.isArray(raw)) return []
    return convert === undefined ? raw : raw.map(convert)
  }
  // A Set compares without regard to order, as Kubernetes compares lists of type set.
  if (node.listType === 'set') return { name: `list<${item.name}>`, convert: (raw) => new Set(items(raw)) }
  return { name: `list<${item.name}>`, ...(convert !== undefined && { convert: items }) }
}

function objectType(declared: TypeDeclarations, node: SchemaNode, name: string): CelType | undefined {
  if (node.additionalProperties === undefined) return messageType(declared, node, name)
  const value = declareType(declared, node.additionalProperties, `${name}.value`)
  if (value === undefined) return undefined
  const { convert } = value
  if (convert === undefined) return { name: `map<string, ${value.name}>` }
  const values = (raw: JsonValue): unknown =>
    isObject(raw) ? Object.fromEntries(Object.entries(raw).map(([key, entry]) => [key, convert(entry)])) : raw
  return { name: `map<string, ${value.name}>`, convert: values }
}

/** Rules reach no other property; one called `constructor` would shadow what tells the type of an object. */
const IDENTIFIER = /^(?!constructor$)[a-zA-Z_]\w*$/

function messageType(declared: TypeDeclarations, node: SchemaNode, suggestedName: string): CelType {
  const name = unusedName(declared.names, suggestedName)
  const ctor = class extends CelObject {}
  const fields: Record<string, string> = {}
  for (const [property, child] of node.properties) {
    const type = IDENTIFIER.test(property) ? declareType(declared, child, `${name}.${property}`) : undefined
    if (type === undefined) continue
    fields[property] = type.name
    defineField(ctor, property, type)
  }
  declared.env.registerType(name, { ctor, fields })
  const equals = (a: CelObject, b: CelObject): boolean => jsonEquals(a[RAW], b[RAW])
  declared.env.registerOperator(`${name} == ${name}`, equals)
  return { name, convert: (raw) => (isObject(raw) ? new ctor(raw) : raw) }
}

function unusedName(names: Set<string>, suggested: string): string {
  let name = suggested
  while (names.has(name)) name += '_'
  names.add(name)
  return name
}

/** The declared fields of an object, and the names in its metadata, which it always has. */
export function fieldsOfRoot(node: SchemaNode): ReadonlyMap<string, SchemaNode> {
  const declared = node.properties.get('metadata')?.properties ?? new Map<string, SchemaNode>()
  const metadata: SchemaNode = {
    ...STRING,
    type: 'object',
    properties: new Map([...METADATA_NAMES, ...declared]),
  }
  return new Map([...node.properties, ['apiVersion', STRING], ['kind', STRING], ['metadata', metadata]])
}

function defineField(ctor: typeof CelObject, property: string, type: CelType): void {
  const { convert } = type
  Object.defineProperty(ctor.prototype, property, {
    get(this: CelObject): unknown {
      const raw = fieldOf(this[RAW], property)
      // A null that the schema allows is, to a rule, a field that is not there.
      if (raw === undefined || raw === null) return undefined
      return convert === undefined ? raw : convert(raw)
    },
  })
}

/** A date-time as CEL's timestamp, with milliseconds at most. */
function timestampFrom(raw: JsonValue): unknown {
  return typeof raw === 'string' ? new Date(raw) : raw
}
