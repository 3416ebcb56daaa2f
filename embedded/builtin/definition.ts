import { checkDefinition } from '../custom.ts'
import type { FieldError } from '../schema/errors.ts'
import { type JsonObject, type JsonValue, isObject, objectsIn } from '../schema/json.ts'
import { SchemaError } from '../schema/structural.ts'
import type { ApiObject } from '../objects.ts'
import type { Kind } from '../kind.ts'
import { timestamp } from '../strategy.ts'
import { column, defineBuiltIn } from './define.ts'
import { describes } from './schema.ts'

export const CUSTOM_RESOURCE_DEFINITIONS = defineBuiltIn({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  hasStatus: true,
  hasGeneration: true,
  columns: [column('Created At', ({ metadata }) => metadata.creationTimestamp ?? null, { type: 'date' })],
  rules: { prepareCreate: establish, validate },
  schema: describes('CustomResourceDefinition adds a kind to the API.'),
})

/** As the program itself stores its definitions, whose schemas are compiled at their first use. */
export const INSTALLED_DEFINITIONS: Kind = {
  ...CUSTOM_RESOURCE_DEFINITIONS,
  rules: { ...CUSTOM_RESOURCE_DEFINITIONS.rules, validate: () => [] },
}

/** A definition is served as soon as it is stored, so its conditions are true from the start. */
function establish(definition: ApiObject): void {
  const spec = isObject(definition['spec']) ? definition['spec'] : {}
  const at = definition.metadata.creationTimestamp ?? timestamp(new Date(0))
  const condition = (type: string, reason: string, message: string): JsonObject => ({
    type,
    status: 'True',
    reason,
    message,
    lastTransitionTime: at,
  })
  const stored = objectsIn(spec['versions'])
    .filter(({ storage }) => storage === true)
    .map(({ name }): JsonValue => name ?? '')
  definition['status'] = {
    acceptedNames: spec['names'] ?? {},
    storedVersions: stored,
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
  }
}

/** The refusal of a definition that the program did not bring: it may use what this server does not have. */
const OF_OTHERS: FieldError = {
  reason: 'FieldValueForbidden',
  field: 'spec',
  message: 'Forbidden: this control plane serves the kinds that its program brings; kinds of others need a cluster',
}

function validate(definition: ApiObject, old: ApiObject | undefined): FieldError[] {
  if (old === undefined) return [OF_OTHERS]
  // Only what is new needs compiling again: labels and annotations change often, schemas do not.
  if (JSON.stringify(old['spec']) === JSON.stringify(definition['spec'])) return []
  try {
    checkDefinition(definition)
    return []
  } catch (error) {
    if (error instanceof SchemaError) return [...error.errors]
    if (error instanceof SyntaxError) {
      return [{ reason: 'FieldValueInvalid', field: 'spec.versions', message: `Invalid value: ${error.message}` }]
    }
    throw error
  }
}
