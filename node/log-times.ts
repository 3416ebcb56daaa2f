/** When how much of a log existed: `<size> <instant>` per line, both rising. Pure. */
export interface LogMark {
  readonly size: number
  readonly at: string
}

export function formatMark({ size, at }: LogMark): string {
  return `${size} ${at}\n`
}

/** Marks that are incomplete or foreign are skipped. */
export function parseMarks(text: string): LogMark[] {
  return text.split('\n').flatMap((line) => {
    const [, size, at] = /^(\d+) (\S+)$/.exec(line) ?? []
    return size === undefined || at === undefined ? [] : [{ size: Number(size), at }]
  })
}

/** The first instant at which everything before `end` was there; undefined when it is newer than all marks. */
export function timeOf(marks: readonly LogMark[], end: number): string | undefined {
  return marks.find(({ size }) => size >= end)?.at
}

/** Where the log stood at `since`: what follows was written later, or not long before. */
export function offsetAt(marks: readonly LogMark[], since: Date): number {
  return marks.findLast(({ at }) => Date.parse(at) < since.getTime())?.size ?? 0
}
