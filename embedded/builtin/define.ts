import { type JsonPath, compileJsonPath } from '../jsonpath.ts'
import { type Column, type Kind, type KindRules, apiVersionOf } from '../kind.ts'
import { messageOf } from '../protobuf/fields.ts'
import { pruneMessage } from '../protobuf/prune.ts'
import { ageOf } from '../table/age.ts'
import type { JsonObject } from '../schema/json.ts'

/** What a built-in kind has to say; the rest follows from its name. */
export interface BuiltIn {
  readonly group: string
  readonly version?: string
  readonly kind: string
  readonly plural: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  readonly hasStatus?: boolean
  /** Default true. */
  readonly hasDeleteCollection?: boolean
  readonly absence?: string
  readonly hasGeneration?: boolean
  readonly subresources?: Kind['subresources']
  readonly columns: readonly Column[]
  /** Paths without the first dot; `name=path` where a selector calls it otherwise. */
  readonly selectableFields?: readonly string[]
  readonly rules?: Partial<KindRules>
  readonly schema: JsonObject
}

export function defineBuiltIn(definition: BuiltIn): Kind {
  const { kind, group, version = 'v1', rules = {}, selectableFields = [] } = definition
  const message = messageOf(apiVersionOf({ group, version }), kind)
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural: definition.plural,
    singular: kind.toLowerCase(),
    shortNames: definition.shortNames ?? [],
    categories: definition.categories ?? [],
    namespaced: definition.namespaced,
    custom: false,
    hasStatus: definition.hasStatus ?? false,
    hasDeleteCollection: definition.hasDeleteCollection ?? true,
    absence: definition.absence,
    hasGeneration: definition.hasGeneration ?? false,
    subresources: definition.subresources ?? [],
    columns: definition.columns,
    selectableFields: new Map(
      selectableFields.map((text): [string, JsonPath] => {
        const [field = text, path = field] = text.split('=')
        return [field, compileJsonPath(`.${path}`)]
      }),
    ),
    rules: {
      prune: (object) => pruneMessage(message, object),
      applyDefaults: () => undefined,
      validate: () => [],
      ...rules,
    },
    schema: definition.schema,
  }
}

export function column(
  name: string,
  cell: Column['cell'],
  more: { readonly type?: Column['type']; readonly wide?: boolean } = {},
): Column {
  return { name, type: more.type ?? 'string', priority: more.wide === true ? 1 : 0, cell }
}

export const AGE = column('Age', ({ metadata }, now) => ageOf(metadata.creationTimestamp, now))
