/**
 * The URL that a text is, relative to `base` where one is given; undefined for a text that is none (WHATWG URL).
 * In place of `URL.canParse`, which Node 20 answers wrongly for letters such as `é` once V8 has compiled the caller.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The name or address of a URL of http or https, an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Its port, also where that is the usual one. */
export function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}
