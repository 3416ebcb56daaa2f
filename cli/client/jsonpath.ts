/**
 * Templates as `kubectl -o jsonpath` takes them: text, and in braces expressions, texts in quotes, `range …` and `end`.
 * A library evaluates the expressions, by RFC 9535. What is not there prints nothing, as with kubectl.
 */
import { type JsonValue, query } from 'jsonpath-rfc9535'
import parseExpression from 'jsonpath-rfc9535/parser'
import { UsageError } from '../command.ts'

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'range'; readonly path: string; readonly parts: readonly Part[] }

/** What stands in braces; in its quotes a brace is a character as any other. */
const BRACES = /\{((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'{}])*)\}/

/** @returns what prints an answer. @throws UsageError that names what cannot be read */
export function parseJsonPath(template: string): (answer: object) => string {
  // A path without braces is taken too, as kubectl does in other places.
  const tokens = (/^[.[$@]/.test(template) ? `{${template}}` : template).split(BRACES)
  const { parts, at } = parseParts(tokens, 0)
  if (at < tokens.length) throw new UsageError('-o jsonpath: there is an {end} without a {range}')
  return (answer) => {
    const root: JsonValue = JSON.parse(JSON.stringify(answer))
    return format(parts, root)
  }
}

/** @param tokens text and what stood in braces, in turn. @returns what stands before the next `end`, and where that is */
function parseParts(tokens: readonly string[], from: number): { parts: Part[]; at: number } {
  const parts: Part[] = []
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    if (at % 2 === 0) {
      if (token !== '') parts.push({ kind: 'text', text: parseText(token) })
      continue
    }
    const inside = token.trim()
    if (inside === 'end') return { parts, at }
    const range = /^range\s+(.*)$/s.exec(inside)?.[1]
    if (range === undefined) {
      parts.push(parseInside(inside))
      continue
    }
    const within = parseParts(tokens, at + 1)
    if (within.at >= tokens.length) throw new UsageError(`-o jsonpath: {${inside}} has no {end}`)
    parts.push({ kind: 'range', path: parsePath(range), parts: within.parts })
    at = within.at
  }
  return { parts, at: tokens.length }
}

function parseText(text: string): string {
  const brace = /[{}]/.exec(text)?.[0]
  if (brace === undefined) return text
  throw new UsageError(`-o jsonpath: ${JSON.stringify(text)} has a ${brace} without its other half`)
}

function parseInside(inside: string): Part {
  const quoted = /^(["'])(.*)\1$/s.exec(inside)?.[2]
  if (quoted === undefined) return { kind: 'path', path: parsePath(inside) }
  return { kind: 'text', text: quoted.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter) }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** kubectl leaves the `$` out, or writes `@`, and a dot alone is all there is. */
function parsePath(text: string): string {
  const path = `$${text.trim().replace(/^[$@]?(\.$)?/, '')}`
  try {
    parseExpression(path)
    return path
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new UsageError(`-o jsonpath: ${JSON.stringify(text)} is no path such as .id: ${error.message}`, {
      cause: error,
    })
  }
}

function format(parts: readonly Part[], current: JsonValue): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return part.text
        case 'path':
          return find(part.path, current).map(formatValue).join(' ')
        case 'range':
          return find(part.path, current)
            .map((item) => format(part.parts, item))
            .join('')
        default:
          return part satisfies never
      }
    })
    .join('')
}

/** A list of ours is bare; that of kubectl is in `items`, and who is used to it may write so. */
function find(path: string, current: JsonValue): JsonValue[] {
  return query(current, Array.isArray(current) ? path.replace(/^\$\.items\b/, '$') : path)
}

function formatValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
