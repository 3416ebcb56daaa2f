/** What `text` holds as JSON (RFC 8259), or undefined when it is no JSON: for text that others wrote. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
