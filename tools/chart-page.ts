import { type Pair, type YAMLMap, isMap, isScalar, parseDocument } from 'yaml'

/** A value of a chart, as values.yaml has it. */
export interface ChartValue {
  /** Keys from the root, joined by dots: `apiServer.ingress.host`. */
  readonly path: string
  /** The comment above it, on one line; "" if there is none. */
  readonly meaning: string
  /** As JSON; undefined for a group, whose values follow. */
  readonly default?: string
}

/**
 * Every value of a values.yaml, in its order. A map in block style is a group of values; one in flow style is a value.
 *
 * @throws Error if the text is not a YAML map
 */
export function readChartValues(yaml: string): ChartValue[] {
  const document = parseDocument(yaml)
  const [problem] = document.errors
  if (problem !== undefined) throw problem
  if (!isMap(document.contents)) throw new Error('values.yaml is not a map')
  return listValues(document.contents, '')
}

function listValues(map: YAMLMap, prefix: string): ChartValue[] {
  return map.items.flatMap((pair, index) => {
    const path = `${prefix}${String(pair.key)}`
    // The comment above a map's first key belongs to the map.
    const meaning = toLine(commentOf(pair) ?? (index === 0 ? map.commentBefore : undefined))
    if (isMap(pair.value) && pair.value.flow !== true) return [{ path, meaning }, ...listValues(pair.value, `${path}.`)]
    return [{ path, meaning, default: JSON.stringify(toJson(pair.value)) }]
  })
}

function commentOf({ key }: Pair): string | null | undefined {
  return isScalar(key) ? key.commentBefore : undefined
}

function toJson(value: unknown): unknown {
  if (isScalar(value)) return value.value
  return value !== null && typeof value === 'object' && 'toJSON' in value && typeof value.toJSON === 'function'
    ? value.toJSON()
    : value
}

/** The last paragraph: what stands before it is about the file. */
function toLine(comment: string | null | undefined): string {
  const lines = (comment ?? '').split(/\n\s*\n/).at(-1) ?? ''
  return lines.replaceAll(/\s+/g, ' ').trim()
}

/**
 * The README of a chart with its table of values written anew from values.yaml; the rest is by hand and stays.
 *
 * @throws Error when the marks are missing
 */
export function writeChartValues(page: string, yaml: string): string {
  const rows = readChartValues(yaml).map(({ path, meaning, default: fallback }) => {
    const code = fallback === undefined ? '' : `\`${fallback}\``
    return `| \`${path}\` | ${code} | ${meaning.replaceAll('|', '\\|')} |`
  })
  const table = ['| key | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
  return replaceGenerated(page, { name: 'values', source: 'values.yaml' }, table)
}

/**
 * A page with what is generated of one name in it replaced.
 *
 * @throws Error when the marks are missing
 */
export function replaceGenerated(
  page: string,
  { name, source }: { readonly name: string; readonly source: string },
  text: string,
): string {
  const [first, last] = [`<!-- BEGIN GENERATED ${name}`, `<!-- END GENERATED ${name} -->`]
  const [begin, end] = [page.indexOf(first), page.indexOf(last)]
  if (begin === -1 || end < begin) throw new Error(`the README of the chart lacks the marks of its generated ${name}`)
  const block = `${first} (source: ${source}) -->\n<!-- prettier-ignore-start -->\n\n${text}\n\n<!-- prettier-ignore-end -->\n`
  return `${page.slice(0, begin)}${block}${page.slice(end)}`
}
