/**
 * The answer as the agent reads it: a text as it is; several as one `question: answer` paragraph each, in the order given.
 *
 * @returns undefined when nothing is said
 */
export function renderAnswer(answer: string | Readonly<Record<string, string>> | undefined): string | undefined {
  if (answer === undefined) return undefined
  if (typeof answer === 'string') return answer.trim() === '' ? undefined : answer
  const said = Object.entries(answer).filter(([, text]) => text.trim() !== '')
  return said.length === 0 ? undefined : said.map(([question, text]) => `${question}: ${text}`).join('\n\n')
}
