import { type Static, Type } from 'typebox'
import type { Epic, EpicSpec, ObjectMeta, Story } from '../crd/types.ts'
import { API_VERSION } from '../names.ts'
import { crdInteger, crdName, crdString } from '../schema/crd-limits.ts'
import { closed, Instant, maybe, RecordId } from '../schema/fields.ts'
import { ProgressRecord } from '../rest/records/story.ts'
import { editOf, NewId, optional } from '../rest/requests/shapes.ts'
import { storyStatus } from '../story/status.ts'
import { mappingOf } from './mapping.ts'
import { shown } from './shown.ts'

const name = crdName('Epic', 'spec.title')
const options = {
  description: crdString('Epic', 'spec.description'),
  priority: crdInteger('Epic', 'spec.priority'),
  color: crdString('Epic', 'spec.color'),
}

/** What people write. */
export const EpicInput = closed({ name, ...optional(options) })

export const EpicRecord = closed({
  id: RecordId,
  ...shown(EpicInput.properties),
  priority: Type.Integer(),
  /** Stories of the epic; done is DONE. */
  stories: ProgressRecord,
  created_at: Instant,
})

const { toInput, toSpec } = mappingOf<EpicSpec>()(EpicInput, { name: 'title' }, {})

/** The themes that stories belong to. */
export const EPIC = {
  id: 'epic',
  one: 'Epic',
  many: 'Epics',
  path: '/api/epics',
  input: EpicInput,
  create: closed({ id: maybe(NewId), ...EpicInput.properties }),
  edit: editOf(EpicRecord.properties, { name, ...options }),
  record: EpicRecord,
  toInput,
  toSpec,
  make: (metadata: ObjectMeta, spec: EpicSpec): Epic => ({ apiVersion: API_VERSION, kind: 'Epic', metadata, spec }),
  /** @param stories those of the epic */
  toRecord({ metadata, spec }: Epic, stories: readonly Story[]): EpicRecord {
    const input = toInput(spec)
    const done = stories.filter((story) => storyStatus(story) === 'DONE').length
    return {
      id: metadata.name,
      ...input,
      priority: input.priority ?? 0,
      stories: { total: stories.length, done },
      created_at: metadata.creationTimestamp ?? '',
    }
  },
} as const

export type EpicRecord = Static<typeof EpicRecord>
