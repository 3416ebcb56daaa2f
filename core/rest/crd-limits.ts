/** REST schemas of fields that a CRD has too: type and limits are the CRD's, descriptions as well. */
import { Type } from 'typebox'
import type { CrdSchema, Kind } from '../crd-field.ts'
import { crdField } from '../crd-field.ts'
import { BRANCH_NAME_FORMAT } from '../story/branch-name.ts'

const LIMITS = ['description', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'] as const

function limitsOf(schema: CrdSchema): Record<string, unknown> {
  return Object.fromEntries(LIMITS.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))
}

export function crdString(kind: Kind, path: string) {
  return Type.String(limitsOf(crdField(kind, path)))
}

/** The name of a branch that git takes. */
export function crdBranchName(kind: Kind, path: string) {
  return Type.String({ ...limitsOf(crdField(kind, path)), format: BRANCH_NAME_FORMAT })
}

export function crdInteger(kind: Kind, path: string) {
  return Type.Integer(limitsOf(crdField(kind, path)))
}

export function crdNumber(kind: Kind, path: string) {
  return Type.Number(limitsOf(crdField(kind, path)))
}

/** A list of strings without repetition, as the CRD's list type `set` demands. */
export function crdList(kind: Kind, path: string) {
  const { maxItems } = crdField(kind, path)
  return Type.Array(crdString(kind, `${path}[]`), {
    uniqueItems: true,
    ...(maxItems === undefined ? {} : { maxItems }),
  })
}
