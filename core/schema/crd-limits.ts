/** REST schemas of fields that a CRD has too: type and limits are the CRD's, descriptions as well. */
import { type TSchema, Type } from 'typebox'
import { type CrdSchema, type Kind, crdField } from '../crd-field.ts'
import { pick } from '../omit.ts'
import { NAME_FORMAT } from '../bidi-controls.ts'
import { BRANCH_NAME_FORMAT } from '../story/branch-name.ts'

const LIMITS = ['description', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'] as const

function limitsOf(schema: CrdSchema): Record<string, unknown> {
  return pick(schema, LIMITS)
}

export function crdString(kind: Kind, path: string) {
  return Type.String(limitsOf(crdField(kind, path)))
}

/** What people read as a name, such as a title. */
export function crdName(kind: Kind, path: string) {
  return Type.String({ ...limitsOf(crdField(kind, path)), format: NAME_FORMAT })
}

/** The name of another record; empty is none, and leaving the field out says so. */
export function crdReference(kind: Kind, path: string) {
  return Type.String({ ...limitsOf(crdField(kind, path)), minLength: 1 })
}

/** The name of a branch that git takes. */
export function crdBranchName(kind: Kind, path: string) {
  return Type.String({ ...limitsOf(crdField(kind, path)), format: BRANCH_NAME_FORMAT })
}

/** What a CRD's `format` of a whole number allows; the control plane refuses the rest in words of its own. */
const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }

export function crdInteger(kind: Kind, path: string) {
  const field = crdField(kind, path)
  return Type.Integer({ ...(field.format === 'int32' ? INT32 : {}), ...limitsOf(field) })
}

export function crdNumber(kind: Kind, path: string) {
  return Type.Number(limitsOf(crdField(kind, path)))
}

/** A list of strings without repetition, as the CRD's list type `set` demands. */
export function crdList(kind: Kind, path: string) {
  return Type.Array(crdString(kind, `${path}[]`), { uniqueItems: true, ...pick(crdField(kind, path), ['maxItems']) })
}

/** A list of strings whose order means something and which may repeat, unlike those of {@link crdList}. */
export function crdStrings(kind: Kind, path: string) {
  return crdListOf(kind, path, crdString(kind, `${path}[]`))
}

/** A list as long as the CRD allows. */
export function crdListOf<S extends TSchema>(kind: Kind, path: string, item: S) {
  return Type.Array(item, pick(crdField(kind, path), ['maxItems']))
}

/** A map as large as the CRD allows. */
export function crdMapOf<S extends TSchema>(kind: Kind, path: string, value: S) {
  return Type.Record(Type.String(), value, pick(crdField(kind, path), ['maxProperties']))
}
