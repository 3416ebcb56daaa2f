import type { Static, TObject } from 'typebox'
import { apiError } from '../../core/errors.ts'
import { authoredBy, changesWork } from '../../core/four-eyes.ts'
import { type JsonObject, isSame } from '../../core/json.ts'
import { mergeEdit } from '../../core/rest/edit.ts'
import { ANNOTATIONS, LABELS, MANAGED_BY } from '../../core/names.ts'
import { toTimestamp } from '../../core/time.ts'
import type { KubeObject } from '../../kube/types.ts'
import { compileUpdateCheck } from '../../lib/validate.ts'

/**
 * A function that merges a PUT into what is stored and checks the result by the schema of what people write.
 *
 * It returns undefined when the PUT changes nothing. What the PUT leaves as it was is not judged anew.
 *
 * @throws ApiError `read_only_field`, `invalid_request` naming the fields that no longer fit
 */
export function createEditor<S extends TObject>(
  schema: S,
): (record: JsonObject, before: JsonObject, patch: JsonObject) => Static<S> | undefined {
  const check = compileUpdateCheck(schema)
  const writable = new Set(Object.keys(schema.properties))
  return (record, before, patch) => {
    const merged = mergeEdit(record, before, patch, writable)
    if (merged === undefined) return undefined
    const checked = check(merged, (name) => !isSame(before[name], merged[name]))
    if (checked.ok) return checked.value
    throw apiError('invalid_request', checked.problems.map(({ field, message }) => `${field}: ${message}`).join('; '))
  }
}

/** The names of the fields that `after` has and `before` has not, or not so. */
export function changedFields(before: object, after: object): Set<string> {
  const was = new Map<string, unknown>(Object.entries(before))
  const entries = Object.entries(after).filter(([name, value]) => !isSame(was.get(name), value))
  return new Set(entries.map(([name]) => name))
}

/**
 * Headers of the answer to an edit: a warning (RFC 7234 §5.5.7) where what was edited came from a manifest, which whoever
 * applies it again undoes the edit with.
 *
 * @param isEdited false: the PUT changed nothing
 */
export function editHeaders(
  kind: string,
  { metadata }: KubeObject,
  isEdited: boolean,
): Readonly<Record<string, string>> {
  const isOurs = metadata.labels?.[LABELS.managedBy] === MANAGED_BY
  if (!isEdited || isOurs) return {}
  const reason = `it has no label ${LABELS.managedBy}: ${MANAGED_BY}, so a manifest elsewhere declares it`
  return { Warning: `299 - "the next sync may undo this edit of ${kind} ${metadata.name}: ${reason}"` }
}

/**
 * The object with a new spec and a note of when that was changed over REST last, because Kubernetes keeps no such instant.
 *
 * @param author who did, an author if it changes what is asked for; absent: nobody, and the authors stay who they were
 */
export function markEdited<T extends KubeObject & { readonly spec: object }>(
  object: T,
  spec: T['spec'],
  at: Date,
  author?: string,
): T {
  const { annotations } = object.metadata
  const authored = author !== undefined && changesWork(object.spec, spec) ? authoredBy(author, annotations) : {}
  const marked = { ...annotations, [ANNOTATIONS.editedAt]: toTimestamp(at), ...authored }
  return { ...object, spec, metadata: { ...object.metadata, annotations: marked } }
}
