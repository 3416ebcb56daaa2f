/** What `text` holds as JSON (RFC 8259), or undefined when it is no JSON: for text that others wrote. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** How much there is in a text of JSON; of another text, upper bounds. */
export interface JsonSize {
  /** Levels of arrays and objects within one another. */
  readonly depth: number
  /** Values, those in others included. */
  readonly values: number
}

/** Tells what parsing and checking a text would cost, without either. */
export function measureJson(text: string): JsonSize {
  let [level, depth, values, isString] = [0, 0, 1, false]
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') isString = !isString
    else if (isString) at += char === '\\' ? 1 : 0
    else if (char === ',') values += 1
    else if (char === '{' || char === '[') {
      depth = Math.max(depth, (level += 1))
      values += 1
    } else if (char === '}' || char === ']') level -= 1
  }
  return { depth, values }
}

/** Far more than any form of ours has. To say what is wrong with each of some millions of values would take all memory. */
const ANSWER_BOUNDS: JsonSize = { depth: 32, values: 100_000 }

/** The same for text that an agent could write: undefined too where it is deeper, or holds more values, than any form of ours. */
export function parseBounded(text: string): unknown {
  const { depth, values } = measureJson(text)
  return depth > ANSWER_BOUNDS.depth || values > ANSWER_BOUNDS.values ? undefined : parseJson(text)
}

/**
 * Whether arrays and objects lie within one another in more than `levels` levels. Looks at each value once, and never
 * deeper than `levels`: asked of a parsed text, it costs a fraction of the parsing.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (isDeeperThan(member, levels - 1)) return true
  }
  return false
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a JSON value is an object, which a list is not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of a JSON value, none when it is not an object. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The object that `text` holds as JSON, or an empty one. */
export function parseObject(text: string): Record<string, unknown> {
  return asRecord(parseJson(text))
}

/** Equality of JSON values; null and absent are the same, the order of members is not looked at. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || a === undefined) return b === null || b === undefined
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isSame(a[name], b[name]))
}
