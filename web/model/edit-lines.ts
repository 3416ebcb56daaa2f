export interface EditLine {
  readonly kind: 'kept' | 'added' | 'removed'
  readonly text: string
}

const CONTEXT = 2

/** A change of a passage as lines: what both have at its beginning and end, of which two lines are kept, and what differs. */
export function editLines(before: string | undefined, after: string | undefined): readonly EditLine[] {
  const [old, now] = [before, after].map((text) => (text === undefined || text === '' ? [] : text.split('\n')))
  if (old === undefined || now === undefined) return []
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  const most = Math.min(old.length, now.length) - start
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const of = (kind: EditLine['kind'], lines: readonly string[]): EditLine[] => lines.map((text) => ({ kind, text }))
  return [
    ...of('kept', now.slice(Math.max(0, start - CONTEXT), start)),
    ...of('removed', old.slice(start, old.length - end)),
    ...of('added', now.slice(start, now.length - end)),
    ...of('kept', now.slice(now.length - end, now.length - end + CONTEXT)),
  ]
}
