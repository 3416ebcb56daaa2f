import assert from 'node:assert/strict'
import { API_VERSION } from '../../core/names.ts'
import { type SchemaNode, readDocuments, schemaOf } from './documents.ts'
import { objectsOf, readExamples } from './examples.ts'

const schemas = new Map(readDocuments().map((crd) => [crd.spec.names.kind, schemaOf(crd)]))

describe('the manifests that we ship or show', () => {
  const examples = readExamples()

  for (const example of examples) {
    const objects = objectsOf(example).filter(({ apiVersion }) => apiVersion === API_VERSION)
    for (const { kind = '', metadata, ...rest } of objects)
      it(`${example.source}: ${kind} ${metadata.name} has only fields that exist, and all that are required`, () => {
        const schema = schemas.get(kind)
        assert.ok(schema !== undefined, `there is no kind ${kind}`)
        const { apiVersion: _, ...fields } = rest
        assert.deepEqual([...problems(schema, fields, '')], [])
      })
  }

  it('show every kind', () => {
    const shown = new Set(examples.flatMap((example) => objectsOf(example).map(({ kind }) => kind)))
    assert.deepEqual(
      [...schemas.keys()].filter((kind) => !shown.has(kind)),
      [],
    )
  })
})

/** Unknown and missing fields of a value, each with its path. */
function* problems(schema: SchemaNode, value: unknown, path: string): Generator<string> {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* problems(schema.items ?? {}, item, `${path}[${i}]`)
    return
  }
  const fields = new Map(Object.entries(value))
  for (const name of schema.required ?? []) if (!fields.has(name)) yield `${path}.${name} is missing`
  for (const [name, child] of fields) {
    const node = schema.properties?.[name] ?? schema.additionalProperties
    if (node === undefined) yield `${path}.${name} is unknown`
    else yield* problems(node, child, `${path}.${name}`)
  }
}
