import type { FieldError } from './errors.ts'
import type { Format } from './formats.ts'
import type { JsonValue } from './json.ts'

export const SCHEMA_TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const
export type SchemaType = (typeof SCHEMA_TYPES)[number]

/** One entry of `x-kubernetes-validations`, as written. */
export interface RuleSource {
  readonly rule: string
  readonly message?: string | undefined
  readonly messageExpression?: string | undefined
  readonly fieldPath?: string | undefined
  readonly reason?: FieldError['reason'] | undefined
  readonly optionalOldSelf: boolean
  /** The entry itself, for the error that refuses it. */
}

/** A bound and whether it is itself refused. */
export interface Bound {
  readonly value: number
  readonly exclusive: boolean
}

/** What a value must satisfy besides its type; absent means not asked for. */
export interface Constraints {
  readonly required: readonly string[]
  readonly enum?: readonly JsonValue[]
  readonly pattern?: { readonly source: string; test(value: string): boolean }
  readonly format?: Format
  readonly minimum?: Bound
  readonly maximum?: Bound
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
}

/** The logical combinations of a structural schema; their schemas only restrict, they declare no field. */
export interface Junctors {
  readonly allOf: readonly SchemaNode[]
  readonly anyOf: readonly SchemaNode[]
  readonly oneOf: readonly SchemaNode[]
  readonly not?: SchemaNode
}

/** One place of a schema, parsed once: what pruning, defaulting, validation and CEL rules walk along a value. */
export interface SchemaNode {
  /** Where it stands in the CustomResourceDefinition: `spec.validation.openAPIV3Schema.properties[spec]`. */
  readonly location: string
  readonly type?: SchemaType
  readonly formatName?: string
  readonly intOrString: boolean
  readonly nullable: boolean
  readonly preserveUnknown: boolean
  readonly embeddedResource: boolean
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly default?: JsonValue
  readonly listType: 'atomic' | 'set' | 'map'
  readonly listMapKeys: readonly string[]
  readonly constraints: Constraints
  readonly junctors?: Junctors
  readonly rules: readonly RuleSource[]
}
