import { crdInteger, crdName, crdString } from '../crd-limits.ts'
import { closed, maybe } from '../fields.ts'
import { EpicRecord } from '../records/epic.ts'
import { NewId, editOf, optional } from './shapes.ts'
import type { Static } from 'typebox'

const epicName = crdName('Epic', 'spec.title')

const epicOptions = {
  description: crdString('Epic', 'spec.description'),
  priority: crdInteger('Epic', 'spec.priority'),
  color: crdString('Epic', 'spec.color'),
}

export const EpicInput = closed({ name: epicName, ...optional(epicOptions) })

export const EpicCreate = closed({ id: maybe(NewId), ...EpicInput.properties })

export const EpicEdit = editOf(EpicRecord.properties, { name: epicName, ...epicOptions })

export type EpicInput = Static<typeof EpicInput>
