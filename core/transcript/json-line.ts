import { isDeeperThan, isJsonObject, parseJson } from '../json.ts'
import { type Fields, eventText } from './fields.ts'
import type { Line } from './lines.ts'
import type { Reading } from './transcript.ts'

/** Deeper values cannot be printed again: JSON.stringify recurses where JSON.parse does not. */
const MAX_DEPTH = 500

/** A line as an object, read by `read`; anything else is output that belongs to nobody. */
export function readJsonLine(line: Line, read: (fields: Fields) => Reading): Reading {
  if (line.text.trim() === '') return { events: [] }
  const value = !line.isCut && line.text.startsWith('{') ? parseJson(line.text) : undefined
  const isMessage = isJsonObject(value) && !isDeeperThan(value, MAX_DEPTH)
  return isMessage ? read(value) : { events: [{ kind: 'output', text: eventText(line.text) }] }
}

/** Whether a line is a message of that type, told without reading lines that cannot be. */
export function isMessageOfType(line: string, type: string): boolean {
  if (!line.includes(`"${type}"`)) return false
  const value = parseJson(line)
  return isJsonObject(value) && value['type'] === type
}
