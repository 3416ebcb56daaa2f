import { format } from 'prettier'
import type { Crd, Schema } from './crds.ts'
import { findTypeName } from './type-names.ts'

const HEADER = '// Generated from crds/ by tools/generate.ts; do not edit.\n\n'
export const STYLE = {
  parser: 'typescript',
  semi: false,
  singleQuote: true,
  printWidth: 120,
  trailingComma: 'all',
} as const

/** core/crd/enums.ts: the values of each enum that has a type name, in the order of the CRD. */
export function renderEnums(crds: readonly Crd[]): Promise<string> {
  const enums = new Map(crds.flatMap(({ kind, schema }) => [...namedEnums(schema, kind)]))
  const constants = [...enums].map(
    ([name, values]) => `export const ${constantName(name)} = ${JSON.stringify(values)} as const\n`,
  )
  return format(`${HEADER}${constants.join('\n')}`, STYLE)
}

function* namedEnums(schema: Schema, path: string): Generator<[string, readonly string[]]> {
  const name = findTypeName(path)
  if (schema.enum !== undefined && name !== undefined) yield [name, schema.enum]
  if (schema.items !== undefined) yield* namedEnums(schema.items, `${path}[]`)
  for (const [field, child] of Object.entries(schema.properties ?? {})) yield* namedEnums(child, `${path}.${field}`)
}

/** `TaskState` → `TASK_STATE_VALUES`. */
function constantName(typeName: string): string {
  return `${typeName.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_VALUES`
}
