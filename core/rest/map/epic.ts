import type { Epic, EpicSpec, Story } from '../../crd/types.ts'
import { storyStatus } from '../../story/status.ts'
import type { EpicRecord } from '../records/epic.ts'
import type { EpicInput } from '../requests/epic.ts'
import { defined } from './fields.ts'

/** @param stories those of the epic */
export function toEpicRecord({ metadata, spec }: Epic, stories: readonly Story[]): EpicRecord {
  const done = stories.filter((story) => storyStatus(story) === 'DONE').length
  const input = toEpicInput(spec)
  return {
    id: metadata.name,
    ...input,
    priority: input.priority ?? 0,
    stories: { total: stories.length, done },
    created_at: metadata.creationTimestamp ?? '',
  }
}

/** The fields of an epic that people write; the inverse of {@link toEpicSpec}. */
export function toEpicInput({ title, description, priority, color }: EpicSpec): EpicInput {
  return { name: title, ...defined({ description, priority, color }) }
}

export function toEpicSpec({ name, description, priority, color }: EpicInput): EpicSpec {
  return { title: name, ...defined({ description, priority, color }) }
}
