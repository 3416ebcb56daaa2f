/** What `slipway doctor` found: one line each, with what mends it. It never holds a secret. */
import { indent, oneLine } from '../client/text.ts'
import { wrap } from '../command.ts'
import { messageOf } from '../../lib/error-message.ts'

export interface Finding {
  /** One word for what was looked at. */
  readonly topic: string
  /** `warn`: Slipway works, but less well than it could; `fail`: something does not work. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
  /** A command, or a short instruction, that mends it. */
  readonly remedy?: string
}

/** @param remedy left out where the text says the way out */
export function makeFinding(topic: string, status: Finding['status'], text: string, remedy?: string): Finding {
  return { topic, status, text, ...(remedy === undefined ? {} : { remedy }) }
}

/** The findings of one check; an error that it does not expect is a finding, too, so that the other checks are shown. */
export async function findingsOf(
  topic: string,
  check: () => Promise<Finding | readonly Finding[]>,
): Promise<Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    return [makeFinding(topic, 'fail', messageOf(error))]
  }
}

const MAX_TEXT = 2000

/** On a narrower terminal, texts wrap at this width all the same: one word on each line would be no easier to read. */
const MIN_TEXT_WIDTH = 30

/**
 * For people: status, topic and text in columns, the remedy below.
 *
 * @param columns of the terminal, which texts keep to; absent: each is one line. Remedies are never broken, as they may be pasted.
 */
export function formatFindings(findings: readonly Finding[], columns = Infinity): string {
  const width = Math.max(...findings.map(({ topic }) => topic.length))
  const margin = ' '.repeat(width + 8)
  const room = Math.max(columns - margin.length, MIN_TEXT_WIDTH)
  const lines = findings.map(({ topic, status, text, remedy }) => {
    const wrapped = wrap(oneLine(text, MAX_TEXT), room).join(`\n${margin}`)
    const line = `${status.padEnd(4)}  ${topic.padEnd(width)}  ${wrapped}\n`
    return remedy === undefined ? line : `${line}${formatRemedy(remedy, margin)}\n`
  })
  return lines.join('')
}

/** The arrow stands before the first line alone: what follows may be pasted. */
function formatRemedy(remedy: string, margin: string): string {
  const [first = '', ...rest] = indent(remedy, '').split('\n')
  return [`${margin}→ ${first}`, ...rest.map((line) => `${margin}  ${line}`)].join('\n')
}
