/** For `sort`: by the numbers of the characters, as the server orders ids and times. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** The text with a capital letter first, as at the beginning of a line. */
export function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** The last part of the address or path of a repository, which is what it is called: `shop` of `git@host:team/shop.git`. */
export function repositoryName(url: string): string {
  return (
    url
      .trim()
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  )
}
