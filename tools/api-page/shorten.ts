import type { Shown } from './page.ts'

const CUT = '…'
const MAX_ITEMS = 4
const MAX_TEXT = 160

/** What the page shows of an output: the same output gives the same text. Blank lines at the end are dropped. */
export function shorten(output: string, shown: Shown): string {
  if (output.trim() === '') return ''
  const lines = output.trimEnd().split('\n')
  const kept = lines.map((line) => shortenLine(line, shown))
  return kept.filter((line, index) => line !== CUT || kept[index - 1] !== CUT).join('\n')
}

/** JSON may stand behind a word, as the `data:` of a server-sent event does. */
function shortenLine(line: string, { keep, lines }: Shown): string {
  const [, before = '', json = ''] = /^([a-z]+: )?([[{].*)$/.exec(line) ?? []
  const value = json === '' ? undefined : parseJson(json)
  if (value !== undefined) return before + printJson(value, keep.length === 0 ? undefined : keep)
  if (lines.length > 0 && !lines.some((start) => line.startsWith(start))) return CUT
  return cutText(line)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @param keep paths below `value` to keep; undefined keeps all */
function printJson(value: unknown, keep: readonly string[] | undefined): string {
  if (Array.isArray(value)) return printArray(value, keep)
  if (typeof value === 'object' && value !== null) return printObject(Object.entries(value), keep)
  return typeof value === 'string' ? JSON.stringify(cutText(value)) : JSON.stringify(value)
}

function printArray(items: readonly unknown[], keep: readonly string[] | undefined): string {
  const isLong = items.length > MAX_ITEMS
  const printed = items.slice(0, isLong ? 2 : MAX_ITEMS).map((item) => printJson(item, keep))
  return `[${[...printed, ...(isLong ? [CUT] : [])].join(',')}]`
}

function printObject(entries: readonly (readonly [string, unknown])[], keep: readonly string[] | undefined): string {
  const printed = entries.map(([key, value]) => {
    const below = keep?.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1))
    if (keep?.includes(key) === false && below?.length === 0) return CUT
    return `${JSON.stringify(key)}:${printJson(value, below?.length === 0 ? undefined : below)}`
  })
  return `{${printed.filter((text, index) => text !== CUT || printed[index - 1] !== CUT).join(',')}}`
}

function cutText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT / 2)}${CUT}` : text
}
