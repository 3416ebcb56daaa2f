import type { StorySpec } from '../crd/types.ts'
import { hashText } from '../hash-text.ts'

/** One sentence that must hold, and the word by which prompts, answers and names of objects refer to it. */
export interface Criterion {
  /** `c` and eight hexadecimal digits made from the text alone, so that an edit of the list never moves a verdict. */
  readonly id: string
  readonly text: string
}

/** Pattern of {@link Criterion.id}. */
export const CRITERION_ID = '^c[0-9a-f]{8}$'

/**
 * What a story is evaluated by: its acceptance criteria, each text once; without any, what its validation calls a success.
 * Nothing else is one, whatever the repository or the work claims.
 */
export function criteriaOf({ acceptanceCriteria = [], validation }: StorySpec): Criterion[] {
  const fallback = validation?.successCriteria ?? ''
  const texts = new Set(acceptanceCriteria.length > 0 ? acceptanceCriteria : fallback === '' ? [] : [fallback])
  const taken = new Set<string>()
  return [...texts].map((text) => {
    let hash = hashText(text)
    while (taken.has(toId(hash))) hash += 1
    taken.add(toId(hash))
    return { id: toId(hash), text }
  })
}

function toId(hash: number): string {
  return `c${(hash >>> 0).toString(16).padStart(8, '0')}`
}
