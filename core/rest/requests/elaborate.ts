import { crdField } from '../../crd-field.ts'
import { crdReference } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { Reference } from './shapes.ts'
import { type Static, Type } from 'typebox'

const { maxLength = 131072, pattern = '' } = crdField('Task', 'spec.elaborationInput')

/** What a person wants, in their own words, which the draft keeps as a Task does. */
const prompt = Type.String({ minLength: 1, maxLength, pattern: '[^\\s\\p{Z}]', allOf: [{ maxLength, pattern }] })

export const TaskElaborate = closed({
  prompt,
  project: maybe(crdReference('Task', 'spec.project')),
  /** A folder below the workspace root, absolute or relative to it; read, and the prompt is added to its NARRATIVE.md. */
  project_dir: maybe(Type.String({ minLength: 1, maxLength: 4096 })),
})

export const StoryElaborate = closed({ prompt, project_id: crdReference('Story', 'spec.projectId') })

/** Which agent answers; left out: chosen by the rules. */
export const ElaborateQuery = closed({ agent: maybe(Reference) })

export type TaskElaborate = Static<typeof TaskElaborate>
export type StoryElaborate = Static<typeof StoryElaborate>
