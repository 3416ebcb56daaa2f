/** What `text` holds as JSON (RFC 8259), or undefined when it is no JSON: for text that others wrote. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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
