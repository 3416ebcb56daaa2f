import { CRD_SCHEMAS } from './crd/schemas.ts'

/** A structural schema, as far as other schemas are made from it. */
export interface CrdSchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, CrdSchema>>
  readonly additionalProperties?: CrdSchema
  readonly items?: CrdSchema
  readonly anyOf?: readonly CrdSchema[]
}

export type Kind = keyof typeof CRD_SCHEMAS

/**
 * The schema of a field, so that limits and enums stand in the CRD alone.
 *
 * @param path `spec.title`, `status.error.category`; `[]` for the items of a list: `spec.dependsOn[]`
 * @throws Error when the kind has no such field: a mistake in the program, found by whatever loads it first
 */
export function crdField(kind: Kind, path: string): CrdSchema {
  const steps = path.replaceAll('[]', '.[]').split('.')
  return steps.reduce((schema: CrdSchema, step) => {
    const field = step === '[]' ? schema.items : schema.properties?.[step]
    if (field === undefined) throw new Error(`${kind} has no field ${path}`)
    return field
  }, CRD_SCHEMAS[kind])
}
