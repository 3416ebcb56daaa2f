import type { JsonValue } from './json.ts'

export const SCHEMA_TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const
export type SchemaType = (typeof SCHEMA_TYPES)[number]

/** One entry of `x-kubernetes-validations`, as written. */
export interface RuleSource {
  readonly rule: string
  readonly message?: string | undefined
  readonly messageExpression?: string | undefined
  readonly fieldPath?: string | undefined
}

/** What a value must satisfy besides its type; absent means not asked for. */
export interface Constraints {
  readonly required: readonly string[]
  readonly enum?: readonly JsonValue[]
  readonly pattern?: { readonly source: string; test(value: string): boolean }
  readonly isDateTime: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
}

/** One place of a schema, parsed once: what pruning, defaulting, validation and CEL rules walk along a value. */
export interface SchemaNode {
  /** Where it stands in the CustomResourceDefinition: `spec.validation.openAPIV3Schema.properties[spec]`. */
  readonly location: string
  readonly type?: SchemaType
  readonly intOrString: boolean
  readonly preserveUnknown: boolean
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly additionalProperties?: SchemaNode
  readonly items?: SchemaNode
  readonly default?: JsonValue
  readonly listType: 'atomic' | 'set' | 'map'
  readonly listMapKeys: readonly string[]
  readonly constraints: Constraints
  /** Schemas that only restrict: they declare no field. */
  readonly anyOf: readonly SchemaNode[]
  readonly rules: readonly RuleSource[]
}
