/**
 * What REST does with a kind that people create and edit: list, create, read, edit, delete, and print as a manifest.
 *
 * core/kinds says which fields a kind has; the file with its handlers adds what only this kind shows, checks and refuses.
 */
import type { Static, TObject } from 'typebox'
import { apiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ObjectMeta } from '../../core/crd/types.ts'
import type { Mapping } from '../../core/kinds/mapping.ts'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import { editSpec } from '../../core/rest/edit.ts'
import type { KubeObject } from '../../kube/types.ts'
import { createEditor, editHeaders } from '../commands/merge-edit.ts'
import { changeRecord, createRecord, requireFound } from '../commands/writes.ts'
import type { RecordCache } from '../cache/record-cache.ts'
import { versionOf } from '../cache/versions.ts'
import type { ApiContext } from '../context.ts'
import { printManifest } from '../records/manifest.ts'
import { NEWEST_FIRST, newestFirst } from '../records/order.ts'
import { type PageQuery, paginate } from '../records/pages.ts'
import type { Precondition } from '../records/preconditions.ts'
import { type Representation, entityTag, joinRepresentations, represent } from '../records/representation.ts'

/** A resource whose spec people write. */
type Written<Spec> = KubeObject & { readonly spec: Spec }

interface HandledKind<T, Spec, I extends TObject> extends Mapping<Spec, Static<I>> {
  /** Its name in messages: `epic`. */
  readonly id: string
  readonly path: string
  readonly input: I
  make(metadata: ObjectMeta, spec: Spec): T
}

/** What differs between kinds. */
interface Own<T extends KubeObject, Input, R> {
  readonly cache: RecordCache<T>
  readonly precondition: Precondition<T>
  readonly toRecord: (object: T) => R
  /** Whatever else than the object's version the entity tag depends on. */
  readonly tagOf?: (record: R) => string
  /** @param before absent: the object is new @throws ApiError if the input is refused */
  readonly check?: (input: Input, object: T, before?: Input) => void
  /** Who refers to it and keeps it from being deleted: `task fix-login`. */
  readonly usersOf: (id: string) => readonly string[]
  /** The verb of the refusal, for one user and for several. */
  readonly use?: readonly [string, string]
}

interface ById {
  readonly params: { readonly id: string }
}

interface IfMatch {
  readonly ifMatch: string | undefined
}

export function recordHandlers<Spec extends object, I extends TObject, T extends Written<Spec>, R extends JsonObject>(
  context: ApiContext,
  kind: HandledKind<T, Spec, I>,
  own: Own<T, Static<I>, R>,
) {
  const { client, namespace } = context
  const { cache, precondition, toRecord, tagOf = () => '', check = () => undefined } = own
  const { usersOf, use = ['refers to it', 'refer to it'] } = own
  const all = newestFirst(cache)
  const edit = createEditor(kind.input)
  const keyOf = (id: string) => ({ kind: kind.id, id })
  const read = async (id: string): Promise<T> => requireFound(await cache.read(id), kind.id)
  const toJson = (object: T): Representation<R> => {
    const record = toRecord(object)
    return { ...represent(record), etag: entityTag(versionOf(object), tagOf(record)) }
  }
  return {
    async list({ query }: { readonly query: PageQuery }) {
      const page = paginate(all(), query, NEWEST_FIRST)
      return {
        status: 200,
        body: joinRepresentations(page.items.map(toJson)),
        headers: page.headers(kind.path),
      } as const
    },
    /** @param id absent: the server makes one up */
    async create(input: Static<I>, id: string = context.makeId(kind.id)) {
      const metadata = { name: id, namespace, labels: { [LABELS.managedBy]: MANAGED_BY } }
      const object = kind.make(metadata, kind.toSpec(input))
      check(input, object)
      const body = toJson(await createRecord(context, cache, kind.id, object))
      return { status: 201, body, headers: { Location: `${kind.path}/${id}` } } as const
    },
    get: async ({ params }: ById) => ({ status: 200, body: toJson(await read(params.id)) }) as const,
    async update({ params, body, ifMatch }: ById & IfMatch & { readonly body: JsonObject }) {
      const { object, result } = await changeRecord(client, cache, keyOf(params.id), (found) => {
        precondition(ifMatch, found)
        const before = kind.toInput(found.spec)
        const input = edit(toRecord(found), before, body)
        if (input === undefined) return { result: false }
        const write = { ...found, spec: editSpec(found.spec, kind.toSpec(before), kind.toSpec(input)) }
        check(input, write, before)
        return { write, result: true }
      })
      return { status: 200, body: toJson(object), headers: editHeaders(kind.id, object, result) } as const
    },
    async remove({ params, ifMatch }: ById & IfMatch) {
      await changeRecord(client, cache, keyOf(params.id), (found) => {
        precondition(ifMatch, found)
        const users = usersOf(params.id)
        if (users.length > 0) throw apiError('in_use', kind.id, params.id, users, use)
        return { write: found, isRemoval: true, result: undefined }
      })
      return { status: 204, body: undefined } as const
    },
    async manifest({ params }: ById) {
      return { status: 200, body: await printManifest(context, { cache, object: await read(params.id) }) } as const
    },
  }
}
