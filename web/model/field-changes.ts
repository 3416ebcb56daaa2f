/** What somebody else has made of a record while a person edited it: pure. */
import { type EditLine, editLines } from './edit-lines.ts'

/** A field of a form, and how a record has it as text. */
export interface ShownField<R> {
  readonly label: string
  /** '' for nothing. */
  readonly textOf: (record: R) => string
}

export interface FieldChange {
  readonly label: string
  readonly lines: readonly EditLine[]
}

/** The fields in which two versions of a record differ, each with the lines that do. */
export function fieldChanges<R>(before: R, now: R, fields: readonly ShownField<R>[]): readonly FieldChange[] {
  return fields.flatMap(({ label, textOf }) => {
    const [old, current] = [textOf(before), textOf(now)]
    return old === current ? [] : [{ label, lines: editLines(old, current) }]
  })
}
