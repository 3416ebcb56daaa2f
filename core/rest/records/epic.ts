import { Instant, RecordId, closed, maybe } from '../fields.ts'
import { ProgressRecord } from './story.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

export const EpicRecord = closed({
  id: RecordId,
  name: Type.String(),
  description: maybe(Type.String()),
  priority: Type.Integer(),
  color: maybe(Type.String()),
  /** Stories of the epic; done is DONE. */
  stories: ProgressRecord,
  created_at: Instant,
})

export type EpicRecord = Static<typeof EpicRecord>
