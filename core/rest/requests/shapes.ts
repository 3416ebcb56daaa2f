import { MAX_NAME_LENGTH } from '../../names.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { type Static, type TObject, type TProperties, type TRecord, type TSchema, type TUnsafe, Type } from 'typebox'

/** An id that a create may ask for: a DNS-1123 label that leaves room for derived names. */
export const NewId = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
})

/** Names another record: never empty, which no record's name is. */
export const Reference = Type.String({ minLength: 1 })

/** Query of a list that is handed out in pages. */
export const PAGE = { limit: maybe(Type.Integer({ minimum: 1, maximum: 1000 })), cursor: maybe(Type.String()) }

export const PageQuery = closed(PAGE)

/** A time limit in seconds; at most a year. */
export const Seconds = Type.Number({ minimum: 0.001, maximum: 31_536_000 })

/** The properties of a partial object. */
export function optional<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties)).properties
}

/**
 * The schema of a PUT on `record`: a writable field may be null, which clears it; a read-only one may be anything,
 * because it is refused or ignored by comparison with what is there (edit.ts). Forms of texts are checked in what the edit
 * leaves behind: a name from before a rule, which a client sends back as it has read it, may stay.
 */
export function editOf<R extends TProperties, W extends TProperties>(record: R, writable: W) {
  const readOnly = Object.keys(record).map((name): [string, TSchema] => [name, maybe(Type.Unknown())])
  const formless = Object.entries(writable).map(([name, schema]) => [name, withoutFormat(schema)])
  return Type.Unsafe<Edit<R, W>>(closed({ ...Object.fromEntries(readOnly), ...nullable(Object.fromEntries(formless)) }))
}

function withoutFormat(schema: TSchema): TSchema {
  if (!Type.IsString(schema)) return schema
  return Type.String(Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'format')))
}

type Edit<R extends TProperties, W extends TProperties> = {
  readonly [K in keyof W]?: Static<W[K]> | null
} & { readonly [K in Exclude<keyof R, keyof W>]?: unknown }

export function nullable(properties: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, maybe(Type.Union([schema, Type.Null()]))]),
  )
}

/**
 * The members of an object in a merge patch (RFC 7396), which {@link editOf} lets be left out or null: of an object or
 * map among them each member may be so in its turn, while lists are replaced as a whole.
 */
export function mergeable<P extends TProperties>(properties: P): Mergeable<P>
export function mergeable(properties: TProperties): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toPatch(schema)]))
}

type Mergeable<P extends TProperties> = {
  readonly [K in keyof P]: P[K] extends TObject | TRecord ? TUnsafe<Patch<Static<P[K]>>> : P[K]
}

type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Patch<T[K]> | null }
    : T

function toPatch(schema: TSchema): TSchema {
  if (Type.IsObject(schema)) return closed(nullable(mergeable(schema.properties)))
  if (Type.IsRecord(schema)) return Type.Record(Type.String(), Type.Union([Type.RecordValue(schema), Type.Null()]))
  return schema
}
