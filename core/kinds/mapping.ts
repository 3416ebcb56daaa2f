/**
 * REST ↔ CRD for the fields that people write, made from the schema of what REST takes.
 *
 * By default a field of REST is the CRD's field in snake_case with the same value, also inside objects and lists; maps with
 * users' own keys are copied. For any other field the compiler demands a rule: another name, another form of the value, or
 * both. It also demands a reason for every field of the CRD that REST lacks.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { asRecord, isJsonObject } from '../json.ts'
import { formatDuration, parseDuration } from '../time.ts'

/** Converts between the two forms of a value. */
export interface Codec<C, R> {
  toRest(value: C): R
  toCrd(value: R): C
}

/** Converts between a spec and its fields in REST; what is absent in one is absent in the other. */
export interface Mapping<C, R> {
  toInput(spec: C): R
  toSpec(input: R): C
}

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

type IsMap<T> = string extends keyof T ? true : false

/** A value of REST in the CRD's spelling. */
type Respelled<R> = R extends readonly (infer Item)[]
  ? readonly Respelled<Item>[]
  : R extends object
    ? IsMap<R> extends true
      ? R
      : { readonly [K in keyof R as Camel<K & string>]: Respelled<R[K]> }
    : R

type IsSame<A, B> = [A, B] extends [B, A] ? true : false

/** The rule that a field needs; never: none. */
type RuleOf<C, K extends string, V> =
  Camel<K> extends keyof C ? RuleOfValue<NonNullable<C[Camel<K>]>, V> : Renamed<Required<C>, V>

type RuleOfValue<C, V> =
  IsSame<C, Respelled<V>> extends true
    ? never
    : [C, V] extends [object, Readonly<Record<string, unknown>>]
      ? Rules<C, V>
      : Codec<C, V>

type Renamed<C, V> = {
  [N in keyof C & string]: IsSame<C[N], Respelled<V>> extends true ? N : Codec<C[N], V> & { readonly crd: N }
}[keyof C & string]

/** The rules of all fields that need one. */
export type Rules<C, R> = {
  readonly [K in keyof R & string as [RuleOf<C, K, NonNullable<R[K]>>] extends [never] ? never : K]-?: RuleOf<
    C,
    K,
    NonNullable<R[K]>
  >
}

type CrdName<K extends string, X> = K extends keyof X
  ? X[K] extends string
    ? X[K]
    : X[K] extends { readonly crd: infer N extends string }
      ? N
      : Camel<K>
  : Camel<K>

type Item<T> = NonNullable<T> extends readonly (infer I)[] ? I : NonNullable<T>

/** Paths of the CRD's fields that REST lacks. */
type Left<C, R, X = object> = C extends object
  ? IsMap<C> extends true
    ? never
    : Exclude<keyof C & string, CrdName<keyof R & string, X>> | LeftBelow<C, R, X, keyof R & string>
  : never

/** What has a codec of its own is that one's to answer for. */
type HasCodec<K, X> = K extends keyof X ? (X[K] extends { toRest: unknown } ? true : false) : false

type LeftBelow<C, R, X, K> = K extends keyof R & string
  ? HasCodec<K, X> extends true
    ? never
    : CrdName<K, X> extends infer N extends keyof C & string
      ? Left<Item<C[N]>, Item<R[K]>, K extends keyof X ? X[K] : object> extends infer P extends string
        ? `${N}.${P}`
        : never
      : never
  : never

/**
 * Makes the mapping of a spec from the schema of what REST takes, the rules, and the reason for each field of the CRD that
 * REST lacks. Two calls, because TypeScript infers either all type arguments of a call or none.
 */
export function mappingOf<C extends object>() {
  return <S extends TObject, const X extends Rules<C, Static<S>>>(
    input: S,
    rules: X,
    _left: { readonly [P in Left<C, Static<S>, X>]: string },
  ): Mapping<C, Static<S>> => createMapping(input, rules)
}

/** The codec of an enum whose values have other names in REST. */
export function words<C extends string, W extends string>(table: Readonly<Record<C, W>>): Codec<C, W> {
  return {
    toRest: (value) => table[value],
    toCrd(word) {
      for (const value in table) if (table[value] === word) return value
      throw new Error(`no value is called ${word}`)
    },
  }
}

/** The codec of a list whose items have rules of their own. */
export function itemsOf<C, R>({ toInput, toSpec }: Mapping<C, R>): Codec<readonly C[], R[]> {
  return { toRest: (list) => list.map(toInput), toCrd: (list) => list.map(toSpec) }
}

/** A Go duration in the CRD, seconds in REST; exact to the millisecond. */
export const SECONDS: Codec<string, number> = {
  toRest: (duration) => parseDuration(duration) / 1000,
  toCrd: (seconds) => formatDuration(Math.round(seconds * 1000)),
}

function createMapping<C, R>(input: TObject, rules: object): Mapping<C, R>
function createMapping(input: TObject, rules: object): Mapping<unknown, unknown> {
  const { toRest, toCrd } = codecOf(input, rules)
  return { toInput: toRest, toSpec: toCrd }
}

const SAME: Codec<unknown, unknown> = { toRest: (value) => value, toCrd: (value) => value }

function codecOf(schema: TSchema, rule: unknown): Codec<unknown, unknown> {
  if (isCodec(rule)) return rule
  if (Type.IsArray(schema)) {
    const { toRest, toCrd } = codecOf(schema.items, undefined)
    return { toRest: (list) => mapItems(list, toRest), toCrd: (list) => mapItems(list, toCrd) }
  }
  if (!Type.IsObject(schema)) return SAME
  const rules = asRecord(rule)
  const members = Object.entries(schema.properties).map(([rest, member]) => {
    const codec = codecOf(member, rules[rest])
    return { rest, crd: nameIn(rules[rest]) ?? toCamel(rest), codec }
  })
  return {
    toRest: changeMembers(members.map(({ rest, crd, codec }) => ({ from: crd, to: rest, change: codec.toRest }))),
    toCrd: changeMembers(members.map(({ rest, crd, codec }) => ({ from: rest, to: crd, change: codec.toCrd }))),
  }
}

function isCodec(rule: unknown): rule is Codec<unknown, unknown> {
  return isJsonObject(rule) && typeof rule['toRest'] === 'function'
}

function nameIn(rule: unknown): string | undefined {
  const name = isJsonObject(rule) ? rule['crd'] : rule
  return typeof name === 'string' ? name : undefined
}

function toCamel(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

function mapItems(list: unknown, change: (item: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map((item) => change(item)) : list
}

interface MemberChange {
  readonly from: string
  readonly to: string
  change(value: unknown): unknown
}

function changeMembers(members: readonly MemberChange[]): (value: unknown) => unknown {
  return (value) => {
    if (!isJsonObject(value)) return value
    const changed: Record<string, unknown> = {}
    for (const { from, to, change } of members) if (value[from] !== undefined) changed[to] = change(value[from])
    return changed
  }
}
