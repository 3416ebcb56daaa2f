import { type JsonValue, isObject } from './schema/json.ts'

/** All values that a path finds, in order; none when something on the way is missing. */
export type JsonPath = (root: JsonValue) => JsonValue[]

type Step = (value: JsonValue) => JsonValue[]

const TOKEN =
  /\.((?:\\.|[^.[\]\\])+)|\[(\d+)\]|\[(\*)\]|\.(\*)|\['((?:\\.|[^'\\])+)'\]|\[\?\(@\.([\w.]+)\s*==\s*(?:"([^"]*)"|'([^']*)')\)\]/y

/**
 * Compiles the simple JSONPath of printer columns and selectable fields: `.spec.size`, `.metadata.labels.a\.b`,
 * `['key']`, `[0]`, `[*]`, `[?(@.type=="Ready")]`. Source: Kubernetes, "JSONPath Support", as far as CRDs use it.
 *
 * @throws SyntaxError naming the path
 */
export function compileJsonPath(path: string): JsonPath {
  const text = path.startsWith('{') && path.endsWith('}') ? path.slice(1, -1) : path
  const steps: Step[] = []
  // One of its own for each call: a filter's path is compiled while the path around it is read.
  const token = new RegExp(TOKEN)
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    if (match === null) throw new SyntaxError(`unsupported JSONPath ${path} at ${text.slice(at)}`)
    steps.push(toStep(match))
  }
  return (root) => steps.reduce<JsonValue[]>((values, step) => values.flatMap(step), [root])
}

function toStep([, field, index, star, dotStar, quoted, filterField, double, single]: RegExpExecArray): Step {
  if (index !== undefined) return (value) => present(Array.isArray(value) ? value[Number(index)] : undefined)
  if (star !== undefined || dotStar !== undefined) return elements
  if (filterField !== undefined) {
    const wanted = double ?? single ?? ''
    const path = compileJsonPath(`.${filterField}`)
    return (value) => elements(value).filter((item) => path(item).some((found) => found === wanted))
  }
  const name = (field ?? quoted ?? '').replaceAll(/\\(.)/g, '$1')
  return (value) => present(isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)
}

function elements(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function present(value: JsonValue | undefined): JsonValue[] {
  return value === undefined ? [] : [value]
}
