import { type Schema, readCrds } from './crds.ts'

/** core/crd/schemas.ts: the schema of each kind as data, without the x-kubernetes-… keywords, which are an API server's. */
export function renderSchemas(folder: string): string {
  const schemas = Object.fromEntries(readCrds(folder).map(({ kind, schema }) => [kind, withoutExtensions(schema)]))
  return `// Made from crds/ by the build; do not edit.
/** The openAPIV3Schema of each kind; look fields up with crdField. */
export const CRD_SCHEMAS = ${JSON.stringify(schemas, undefined, 1)}
`
}

function withoutExtensions(schema: Schema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key.startsWith('x-kubernetes-') ? undefined : value)),
  )
}
