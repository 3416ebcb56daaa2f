/** The text that a person edits in place of a record: its writable fields as YAML below a comment. Pure. */
import { parse } from 'yaml'
import { type JsonObject, isJsonObject, isSame } from '../../core/json.ts'
import { toYaml } from './yaml.ts'
import { printable } from './text.ts'

/** What was typed is no YAML, or no map of fields. */
export class UnreadableEdit extends Error {
  override readonly name = 'UnreadableEdit'
}

/** The fields of a record that may be changed, in the order of `writable`. */
export function pickWritable(record: JsonObject, writable: readonly string[]): JsonObject {
  return Object.fromEntries(writable.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])))
}

/** @param what names the record for a person */
export function formatEdit(what: string, fields: JsonObject, writable: readonly string[]): string {
  const unset = writable.filter((name) => fields[name] === undefined)
  const lines = [
    `${what}. Only what you change is sent, when the editor ends; a field that you remove is cleared.`,
    'Lines that begin with # are left out. An unchanged or empty file changes nothing.',
    ...(unset.length === 0 ? [] : [`Fields that are not set: ${unset.join(', ')}`]),
  ]
  return `${toComment(lines.join('\n'))}\n${toText(fields)}`
}

const REFUSED = 'NOT SAVED: '
const WAY_OUT =
  'To try again, change the text or delete these lines. If you leave it as it is, nothing is sent and it is kept in a file.'

/** Puts what the server refused above what was typed, which stays as it is, in place of an earlier refusal. */
export function withRefusal(typed: string, refusal: string): string {
  const end = `# ${WAY_OUT}\n`
  const at = typed.startsWith(`# ${REFUSED}`) ? typed.indexOf(end) : -1
  const rest = at === -1 ? typed : typed.slice(at + end.length)
  return `${toComment(`${REFUSED}${refusal}\n${WAY_OUT}`)}\n${rest}`
}

/** The fields that the text says; null stands for a field that is not there. @throws UnreadableEdit */
export function parseEdit(text: string): JsonObject {
  const fields = parseYaml(text) ?? {}
  if (!isJsonObject(fields)) throw new UnreadableEdit('this is no map of fields: write each as  name: value')
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function parseYaml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    // Syntax is YAMLParseError, an alias of nothing ReferenceError.
    if (!(error instanceof Error)) throw error
    throw new UnreadableEdit(`this is no YAML: ${error.message.trimEnd()}`, { cause: error })
  }
}

/** What somebody else has made of fields meanwhile. */
export function formatChanges(before: JsonObject, now: JsonObject): string {
  const names = Object.keys({ ...before, ...now })
  const changed = names.filter((name) => !isSame(before[name], now[name]))
  return changed
    .map((name) => (now[name] === undefined ? `${name} is not set now` : toText({ [name]: now[name] })))
    .join('\n')
}

function toText(fields: JsonObject): string {
  return Object.keys(fields).length === 0 ? '' : toYaml(fields, 0)
}

function toComment(text: string): string {
  return printable(text)
    .trimEnd()
    .split('\n')
    .map((line) => `# ${line}`.trimEnd())
    .join('\n')
}
