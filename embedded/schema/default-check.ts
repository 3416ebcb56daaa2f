import type { FieldError } from './errors.ts'
import { isObject } from './json.ts'
import type { SchemaNode } from './node.ts'
import { prune } from './prune.ts'
import { validateNode } from './validate.ts'

/** Checks that each default of a schema is a value which the schema itself would take. */
export function checkDefaults(node: SchemaNode, errors: FieldError[]): void {
  const { default: value, additionalProperties, items } = node
  if (value !== undefined && !(value === null && node.nullable)) checkDefault(node, errors)
  for (const child of node.properties.values()) checkDefaults(child, errors)
  if (typeof additionalProperties === 'object') checkDefaults(additionalProperties, errors)
  if (items !== undefined) checkDefaults(items, errors)
}

function checkDefault(node: SchemaNode, errors: FieldError[]): void {
  const field = `${node.location}.default`
  const value = structuredClone(node.default ?? null)
  if (isObject(value) && prune(node, value).length > 0) {
    const message = `Invalid value: ${JSON.stringify(node.default)}: must not have unknown fields`
    errors.push({ reason: 'FieldValueInvalid', field, message })
    return
  }
  const found: FieldError[] = []
  // A null is what a kube-apiserver takes for "no default" here.
  if (value !== null) validateNode(node, value, '', found)
  errors.push(...found.map((error) => ({ ...error, field: error.field === '' ? field : `${field}.${error.field}` })))
}
