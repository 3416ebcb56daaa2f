/** The log of a check: the line where it is cut, and its end as it is shown. Both without anything that steers a terminal. */
import { formatSize } from '../sentences/amounts.ts'
import { RESULT_LIMITS } from './result-limits.ts'

/** Lines of the end of a log that agents and people are shown. */
const TAIL_LINES = 60

/** Stands in a log of which the middle is left out. */
export function cutOutputLine(missingBytes: number): string {
  return `[slipway: ${formatSize(missingBytes)} of output are left out here]`
}

/** Bytes of the end of a log that {@link outputTail} needs. */
export const OUTPUT_TAIL_BYTES = 256 * 1024

// oxlint-disable-next-line no-control-regex
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** An output as it may be shown: without colours; of a line that was written over, what stood there last. */
export function plainOutput(text: string): string {
  const lines = text
    .replaceAll(SEQUENCES, '')
    .replaceAll(/\r+(?=\n|$)/g, '')
    .split('\n')
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1).replaceAll(CONTROLS, '')).join('\n')
}

/** The last lines of an output, as they may be shown. */
export function outputTail(text: string): string {
  const lines = plainOutput(text).trimEnd().split('\n').slice(-TAIL_LINES)
  return lastOf(lines.join('\n'), RESULT_LIMITS.checkTailLength)
}

function lastOf(text: string, max: number): string {
  return text.length <= max ? text : `…${text.slice(1 - max).replace(/^[\udc00-\udfff]/, '')}`
}
