import { parseJson } from '../json.ts'
import type { Fields } from './fields.ts'
import { eventText, isFields } from './fields.ts'
import type { Line } from './lines.ts'
import type { Reading } from './transcript.ts'

/** A line as an object, read by `read`; anything else is output that belongs to nobody. */
export function readJsonLine(line: Line, read: (fields: Fields) => Reading): Reading {
  if (line.text.trim() === '') return { events: [] }
  const value = line.isCut || !line.text.startsWith('{') ? undefined : parseJson(line.text)
  return isFields(value) ? read(value) : { events: [{ kind: 'output', text: eventText(line.text) }] }
}
