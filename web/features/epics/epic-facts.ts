/** What the list of epics says: pure. */
import type { Story } from '../../../core/rest/client/client.ts'
import type { StoryStatus } from '../../../core/crd/types.ts'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import { STORY_MOVES } from '../../../core/story/transitions.ts'
import { groupBy } from '../../model/group.ts'

export interface StatusGroup {
  readonly status: StoryStatus
  readonly stories: readonly Story[]
}

/** From the first status that a story has to the last, as in the table of moves. */
const NAMES = Object.keys(STORY_MOVES)
const ORDER: readonly StoryStatus[] = STORY_STATUS_VALUES.toSorted((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b))

/** The stories under their status; a status that none has is left out. */
export function byStatus(stories: readonly Story[]): readonly StatusGroup[] {
  const groups = groupBy(stories, ({ status }) => status)
  return ORDER.flatMap((status) => {
    const members = groups.get(status)
    return members === undefined ? [] : [{ status, stories: members }]
  })
}
