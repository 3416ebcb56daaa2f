import type { Crd, Schema } from './crds.ts'

const BEGIN = '<!-- BEGIN GENERATED fields'
const END = '<!-- END GENERATED fields -->'

/**
 * A page of docs/resources/ with its list of fields written anew from the CRD; the rest is by hand and stays.
 *
 * @throws Error when the marks are missing
 */
export function writeFields(page: string, crd: Crd): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`the page of ${crd.kind} lacks the marks of its generated fields`)
  const { spec, status } = crd.schema.properties ?? {}
  const lists = [spec && renderList('spec', spec), status && renderList('status', status)].filter(
    (list) => list !== undefined,
  )
  return `${page.slice(0, begin)}${BEGIN} (source: crds/${crd.file}) -->\n\n${lists.join('\n\n')}\n\n${page.slice(end)}`
}

function renderList(name: string, schema: Schema): string {
  return [`### ${name}`, '', ...renderFields(schema, '')].join('\n')
}

/** One item per field, those of an object below it. */
function renderFields(schema: Schema, indent: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const kind = [formatType(field), ...(schema.required?.includes(name) === true ? ['required'] : [])].join(', ')
    const line = `${indent}- \`${name}\` (${kind}): ${field.description ?? ''}`
    return [line, ...renderFields(field.items ?? field, `${indent}  `)]
  })
}

function formatType(schema: Schema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => `\`${value}\``).join(', ')}`
  if (schema.items !== undefined) return `list of ${schema.items.properties === undefined ? 'texts' : 'objects'}`
  if (schema.additionalProperties !== undefined) return 'map'
  return schema.type === 'string' ? 'text' : (schema.type ?? 'text')
}
