import type { Static } from 'typebox'
import type { Changes } from '../execution/result.ts'

export type ChangeStatistics = Static<typeof Changes>

const LINE = /^ ?(\d{1,9}) files? changed(?:, (\d{1,9}) insertions?\(\+\))?(?:, (\d{1,9}) deletions?\(-\))?\r?$/

/** Reads one line in the form of `git diff --shortstat`; undefined when it is not one. */
export function parseShortstat(line: string): ChangeStatistics | undefined {
  const match = LINE.exec(line)
  if (match === null) return undefined
  const [, files, insertions = '0', deletions = '0'] = match
  return { files: Number(files), insertions: Number(insertions), deletions: Number(deletions) }
}

/** A summary without the diff-summary lines in it, which are shown as figures; "" when nothing else was said. */
export function withoutChanges(summary: string): string {
  const lines = summary.split('\n')
  const isOther = (line: string): boolean => parseShortstat(line) === undefined
  return lines.every(isOther) ? summary : lines.filter(isOther).join('\n').trim()
}

/** The last diff-summary line of an agent's output: what it says it changed (specification §7.12). */
export function findChanges(output: string): ChangeStatistics | undefined {
  return output
    .split('\n')
    .map(parseShortstat)
    .findLast((changes) => changes !== undefined)
}
