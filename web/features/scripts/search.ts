/** Which script is open, as it stands in the URL. */
export interface ScriptsSearch {
  readonly script?: string
}

export function parseScriptsSearch(search: Readonly<Record<string, unknown>>): ScriptsSearch {
  const { script } = search
  // The router reads `?script=12` as a number.
  const name = typeof script === 'number' ? String(script) : script
  return typeof name === 'string' && name !== '' ? { script: name } : {}
}
