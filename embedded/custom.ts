import { type JsonPath, compileJsonPath } from './jsonpath.ts'
import type { Column, Kind, KindRules } from './kind.ts'
import type { ApiObject } from './objects.ts'
import { type JsonObject, type JsonValue, isObject, objectsIn, textsIn } from './schema/json.ts'
import { type StructuralSchema, compileSchema, SchemaError } from './schema/structural.ts'
import { ageOf } from './table/age.ts'

/**
 * The kind that a CustomResourceDefinition describes. One version is served: the storage version.
 *
 * The schema is compiled at its first use, so that a server with many kinds starts at once.
 *
 * @throws SchemaError when a field that the server relies on is missing
 */
export function toKind(crd: JsonObject): Kind {
  const spec = objectAt(crd, 'spec')
  const names = objectAt(spec, 'names')
  const version = storageVersion(spec)
  const subresources = version['subresources']
  const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema')
  const kind = text(names, 'kind')
  const hasStatus = isObject(subresources) && subresources['status'] !== undefined
  return {
    group: text(spec, 'group'),
    version: text(version, 'name'),
    kind,
    listKind: optionalText(names, 'listKind') ?? `${kind}List`,
    plural: text(names, 'plural'),
    singular: optionalText(names, 'singular') ?? kind.toLowerCase(),
    shortNames: textsIn(names['shortNames']),
    categories: textsIn(names['categories']),
    namespaced: text(spec, 'scope') === 'Namespaced',
    custom: true,
    hasStatus,
    hasDeleteCollection: true,
    absence: undefined,
    hasGeneration: true,
    subresources: [],
    columns: toColumns(version['additionalPrinterColumns']),
    selectableFields: toSelectableFields(version['selectableFields']),
    rules: schemaRules(schema),
    schema,
  }
}

/** Compiles the schema of a definition only to see whether it is valid. @throws SchemaError */
export function checkDefinition(crd: JsonObject): void {
  compileSchema(toKind(crd).schema)
}

function storageVersion(spec: JsonObject): JsonObject {
  const [version, ...more] = objectsIn(spec['versions']).filter(({ storage }) => storage === true)
  if (version === undefined || more.length > 0) {
    throw missing('spec.versions', 'must have exactly one version marked as storage version')
  }
  return version
}

function schemaRules(schema: JsonObject): KindRules {
  let compiled: StructuralSchema | undefined
  const get = (): StructuralSchema => (compiled ??= compileSchema(schema))
  return {
    prune: (object) => get().prune(object),
    applyDefaults: (object) => get().applyDefaults(object),
    validate: (object, old) => get().validate(object, old),
  }
}

function toColumns(definitions: JsonValue | undefined): Column[] {
  if (!Array.isArray(definitions) || definitions.length === 0) return [AGE_COLUMN]
  return objectsIn(definitions).map((definition) => {
    const path = compileJsonPath(text(definition, 'jsonPath'))
    const type = columnType(definition['type'])
    const { priority } = definition
    return {
      name: text(definition, 'name'),
      type,
      format: optionalText(definition, 'format') ?? '',
      description: optionalText(definition, 'description') ?? '',
      priority: typeof priority === 'number' ? priority : 0,
      cell: (object, now) => toCell(type, path, object, now),
    }
  })
}

const AGE_COLUMN: Column = {
  name: 'Age',
  type: 'date',
  format: '',
  description: 'Time since the object was created.',
  priority: 0,
  cell: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
}

function toCell(type: Column['type'], path: JsonPath, object: ApiObject, now: Date): string | number | boolean | null {
  const [value] = path(object)
  if (value === undefined || value === null) return null
  if (type === 'date') return typeof value === 'string' ? ageOf(value, now) : null
  if (type === 'string') return typeof value === 'string' ? value : JSON.stringify(value)
  return typeof value === 'object' ? null : value
}

function columnType(value: JsonValue | undefined): Column['type'] {
  const types = ['string', 'integer', 'number', 'boolean', 'date'] as const
  return types.find((type) => type === value) ?? 'string'
}

function toSelectableFields(definitions: JsonValue | undefined): Map<string, JsonPath> {
  return new Map(
    objectsIn(definitions).map((field) => {
      const path = text(field, 'jsonPath')
      return [path.replace(/^\./, ''), compileJsonPath(path)]
    }),
  )
}

function objectAt(parent: JsonObject, field: string): JsonObject {
  const value = parent[field]
  if (!isObject(value)) throw missing(`spec.${field}`, 'Required value')
  return value
}

function text(parent: JsonObject, field: string): string {
  const value = optionalText(parent, field)
  if (value === undefined || value === '') throw missing(`spec.${field}`, 'Required value')
  return value
}

function optionalText(parent: JsonObject, field: string): string | undefined {
  const value = parent[field]
  return typeof value === 'string' ? value : undefined
}

function missing(field: string, message: string): SchemaError {
  return new SchemaError([{ reason: 'FieldValueRequired', field, message }])
}
