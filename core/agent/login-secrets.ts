/** What of an agent's login is secret: the values that must not stand in what it prints. */
import { isJsonObject, parseJson } from '../json.ts'

/** Shorter ones are too likely to be ordinary words. */
const MIN_LENGTH = 8

/** A value as providers make tokens: long, in one piece, of letters and digits. */
const OPAQUE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{20,}$/

const TIME = /^\d{4}-\d\d-\d\dT/

const SECRET_NAME = /token|secret|password|passwd|api_?key|(?:^|[^a-z])key(?:[^a-z]|$)|credential|authorization/i

/** Says how others are to be understood, and is no secret itself. */
const PLAIN_NAME = /type$|^(?:env_key|env_http_headers|bearer_token_env_var)$/i

/** An address without anything to log in with. */
const ADDRESS = /^https?:\/\/[^\s@?#]*$/i

/** A scheme of HTTP authentication and what comes with it. */
const AUTHORIZATION = /^(?:Bearer|Basic|Token|ApiKey)\s+(\S+)$/i

/** The password in an address. */
const PASSWORD = /^https?:\/\/[^\s/@:]*:([^\s/@]+)@/i

/** Secrets in the value of a variable: the value, what stands behind `Bearer` and the like, and the password of an address. */
export function secretsOfVariable(value: string): string[] {
  const text = value.trim()
  if (ADDRESS.test(text)) return []
  const parts = [AUTHORIZATION, PASSWORD].flatMap((pattern) => pattern.exec(text)?.slice(1) ?? [])
  return [text, ...parts].filter((secret) => secret.length >= MIN_LENGTH)
}

/** Secrets in a file with a login: texts of JSON, else values of `name = value`, that are secret by name or by look. */
export function secretsOfFile(content: string): string[] {
  const value = parseJson(content)
  const found = isJsonObject(value) ? leavesOf(value, 0) : assignmentsOf(content)
  return [...new Set(found.flatMap(([name, text]) => (isSecret(name, text) ? [text] : [])))]
}

type Named = readonly [name: string, text: string]

const MAX_DEPTH = 20

function leavesOf(value: unknown, depth: number, name = ''): Named[] {
  if (typeof value === 'string') return [[name, value.trim()]]
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return []
  // Entries of a list are called what the list is called.
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, depth + 1, Array.isArray(value) ? name : key))
}

function assignmentsOf(content: string): Named[] {
  return [...content.matchAll(/^[ \t]*(?:export )?["']?([\w.-]+)["']?[ \t]*[=:][ \t]*(.+)$/gm)].map(
    ([, name = '', text = '']) => [name, text.trim().replace(/^(["'])(.*)\1$/, '$2')],
  )
}

function isSecret(name: string, text: string): boolean {
  if (text.length < MIN_LENGTH || ADDRESS.test(text) || TIME.test(text) || PLAIN_NAME.test(name)) return false
  return SECRET_NAME.test(name) || OPAQUE.test(text)
}
