/**
 * Which fields of a record changed from one version to another, for those who hold an older one.
 *
 * Kept as the changes come, and bounded: of an object the latest steps, of objects those that changed last. What lies
 * further back is not known, and whoever asks is told so. A step that was not heard of, as behind a broken watch, is
 * none of its own: the cache then goes from the older version straight to the newer one.
 */
import type { ChangeHandler } from '../../kube/informer.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { Conditions } from '../../core/conditions.ts'
import { isSame } from '../../core/json.ts'
import { versionOf } from './versions.ts'

/** As much of an informer as a change log listens to. */
export interface ChangeSource<T> {
  onChange(handler: ChangeHandler<T>): unknown
}

export interface ChangeLog<T> {
  /** Names of the fields that changed from that version to `object`, sorted; undefined when that is not known any more. */
  fieldsSince(object: T, version: string): readonly string[] | undefined
  /** Whether since that version it was only noted which spec the status is made from: callers see the same record. */
  isUnchangedSince(object: T, version: string): boolean
}

interface Step {
  readonly from: string
  readonly to: string
  readonly fields: readonly string[]
  readonly isMarkOnly: boolean
}

const MAX_OBJECTS = 1000
const MAX_STEPS = 20

/** @param fieldsOf an object as its callers know it, by the names that they know */
export function createChangeLog<T extends KubeObject>(
  source: ChangeSource<T>,
  fieldsOf: (object: T) => object,
): ChangeLog<T> {
  // In the order of their last change.
  const steps = new Map<string, readonly Step[]>()
  const note = (uid: string, step: Step): void => {
    const before = steps.get(uid) ?? []
    steps.delete(uid)
    steps.set(uid, [...before, step].slice(-MAX_STEPS))
    const [oldest] = steps.keys()
    if (steps.size > MAX_OBJECTS && oldest !== undefined) steps.delete(oldest)
  }
  source.onChange((change) => {
    if (change.type === 'delete') steps.delete(uidOf(change.previous))
    if (change.type !== 'update') return
    const uid = uidOf(change.object)
    const [from, to] = [versionOf(change.previous), versionOf(change.object)]
    if (from === to) return
    const fields = differing(fieldsOf(change.previous), fieldsOf(change.object))
    const isMarkOnly = fields.length === 0 && isSame(withoutMarks(change.previous), withoutMarks(change.object))
    note(uid, { from, to, fields, isMarkOnly })
  })
  const stepsSince = (object: T, version: string): readonly Step[] | undefined => {
    const known = steps.get(uidOf(object)) ?? []
    const since = known.slice(
      Math.max(
        0,
        known.findIndex(({ from }) => from === version),
      ),
    )
    return since[0]?.from === version && since.at(-1)?.to === versionOf(object) ? since : undefined
  }
  return {
    fieldsSince(object, version) {
      const since = stepsSince(object, version)
      return since && [...new Set(since.flatMap(({ fields }) => fields))].sort()
    },
    isUnchangedSince: (object, version) => stepsSince(object, version)?.every(({ isMarkOnly }) => isMarkOnly) === true,
  }
}

/** The object without its version, and without the marks of the spec that its status is made from. */
function withoutMarks(object: KubeObject & { readonly status?: Conditions }): object {
  const { resourceVersion: _, ...metadata } = object.metadata
  const { observedGeneration: __, conditions = [], ...status } = object.status ?? {}
  const said = conditions.map(({ observedGeneration: ___, ...condition }) => condition)
  return { ...object, metadata, status: { ...status, conditions: said } }
}

function uidOf({ metadata: { uid, name } }: KubeObject): string {
  return uid ?? name
}

function differing(before: object, after: object): string[] {
  const [was, is] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => !isSame(was.get(name), is.get(name)))
}
