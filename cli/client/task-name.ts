const MAX_NAME = 200

/** Makes the name of a task from its prompt: the first line that is not blank, cut at a word. */
export function nameOf(prompt: string): string {
  const line =
    prompt
      .split('\n')
      .map((text) => text.trim().replace(/^#+\s*/, ''))
      .find((text) => text !== '') ?? ''
  if (line.length <= MAX_NAME) return line
  const cut = line.slice(0, MAX_NAME - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_NAME / 2)).trimEnd()}…`
}
