/** Nodes that are too many for a picture, as a list under their states: pure. */
import { groupBy } from '../../model/group.ts'
import type { Tone } from '../../model/state-words.ts'
import type { GraphItem } from './graph-types.ts'

/** So many nodes are drawn at most: more of them nobody takes in at a glance, and no page draws in time. */
const MOST_DRAWN = 200

export function isTooLarge(items: readonly GraphItem[]): boolean {
  return items.length > MOST_DRAWN
}

export interface StateGroup {
  /** What the state is called. */
  readonly text: string
  readonly items: readonly GraphItem[]
}

/** What needs a person first, what is done last. */
const TONES: readonly Tone[] = ['ask', 'fail', 'ready', 'run', 'wait', 'done']

/** The nodes by state, each group in the given order. */
export function groupByState(items: readonly GraphItem[]): readonly StateGroup[] {
  const groups = [...groupBy(items, ({ words }) => words.text)].map(([text, members]) => ({ text, items: members }))
  const rankOf = ({ items: [first] }: StateGroup): number => (first === undefined ? 0 : TONES.indexOf(first.words.tone))
  return groups.sort((a, b) => rankOf(a) - rankOf(b))
}
