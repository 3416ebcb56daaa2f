import { EvaluationError } from '@marcbachmann/cel-js'
import type { Environment } from '@marcbachmann/cel-js'

/** The string functions of cel-go's extension that the library lacks. Characters are code points. */
export function registerStringFunctions(env: Environment): void {
  env.registerFunction('string.charAt(int): string', (text: string, index: bigint) => {
    const characters = Array.from(text)
    const at = Number(index)
    if (at < 0 || at > characters.length) throw new EvaluationError(`index out of range: ${at}`)
    return characters[at] ?? ''
  })
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  )
  env.registerFunction(
    'string.replace(string, string, int): string',
    (text: string, from: string, to: string, limit: bigint) => replaceFirst(text, from, to, Number(limit)),
  )
}

function replaceFirst(text: string, from: string, to: string, limit: number): string {
  if (limit < 0) return text.replaceAll(from, () => to)
  let left = limit
  return text.replaceAll(from, (found) => {
    left -= 1
    return left >= 0 ? to : found
  })
}
