/** What the list of epics says: pure. */
import type { Epic, Story } from '../../../core/rest/client/client.ts'
import type { StoryStatus } from '../../../core/crd/types.ts'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import { groupBy } from '../../model/group.ts'

/** Epics as the lanes of the board: by priority, then oldest first. */
export function inOrder(epics: readonly Epic[]): readonly Epic[] {
  return epics.toSorted((a, b) => a.priority - b.priority || (a.created_at < b.created_at ? -1 : 1))
}

export interface StatusGroup {
  readonly status: StoryStatus
  readonly stories: readonly Story[]
}

/** From the first status that a story has to the last; the shippable one stands before its validation. */
const ORDER: readonly StoryStatus[] = [
  ...STORY_STATUS_VALUES.filter((status) => !['SHIPPABLE', 'VALIDATING', 'REVIEW_READY', 'DONE'].includes(status)),
  'SHIPPABLE',
  'VALIDATING',
  'REVIEW_READY',
  'DONE',
]

/** The stories under their status; a status that none has is left out. */
export function byStatus(stories: readonly Story[]): readonly StatusGroup[] {
  const groups = groupBy(stories, ({ status }) => status)
  return ORDER.flatMap((status) => {
    const members = groups.get(status)
    return members === undefined ? [] : [{ status, stories: members }]
  })
}
