/**
 * Kubernetes' protobuf bodies as the JSON objects that they stand for. kubectl sends them when it makes an object from flags
 * (`kubectl create secret`), Helm for the Secrets of its releases, Go clients for most of the built-in kinds. The source of
 * the format is k8s.io/apimachinery, pkg/runtime/serializer/protobuf: four bytes, then runtime.Unknown.
 *
 * Go writes every field that is not a pointer, so a zero there means that the field is absent in JSON.
 */
import protobuf from 'protobufjs/minimal.js'
import { type JsonObject, type JsonValue, isObject } from '../schema/json.ts'
import { type Field, messageOf, parseField } from './fields.ts'
import { MESSAGES } from './messages.ts'

const MAGIC = Buffer.from('k8s\0')
const LENGTH_DELIMITED = 2

/** A body that is not what its header says. */
export class BadProtobuf extends Error {
  readonly code = 'BAD_PROTOBUF'
}

/** A kind that is read as JSON or YAML only. */
export class UnreadableKind extends Error {
  readonly code = 'UNREADABLE_KIND'
}

type Reader = InstanceType<typeof protobuf.Reader>

/**
 * Reads a body of the media type application/vnd.kubernetes.protobuf.
 *
 * @throws BadProtobuf; UnreadableKind
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw new BadProtobuf('it does not begin as Kubernetes has it')
  try {
    const { apiVersion, kind, raw } = readEnvelope(protobuf.Reader.create(body.subarray(MAGIC.length)))
    const message = messageOf(apiVersion, kind)
    if (!Object.hasOwn(MESSAGES, message)) throw new UnreadableKind(`${kind} of ${apiVersion}`)
    const reader = protobuf.Reader.create(raw)
    return { apiVersion, kind, ...readMessage(reader, reader.len, message) }
  } catch (error) {
    if (error instanceof UnreadableKind || error instanceof BadProtobuf || error instanceof TypeError) throw error
    // What the library throws of a body that is cut or has another form.
    if (error instanceof Error) throw new BadProtobuf(error.message, { cause: error })
    throw error
  }
}

/** runtime.Unknown: 1 is the TypeMeta (1 apiVersion, 2 kind), 2 the message. */
function readEnvelope(reader: Reader): {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
} {
  const [type, raw] = readTexts(reader, reader.len)
  const inner = protobuf.Reader.create(type ?? new Uint8Array())
  const [apiVersion, kind] = readTexts(inner, inner.len)
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8')
  return { apiVersion: text(apiVersion), kind: text(kind), raw: raw ?? new Uint8Array() }
}

/** The last value of field 1 and that of field 2, where they are texts or messages. */
function readTexts(reader: Reader, end: number): [Uint8Array | undefined, Uint8Array | undefined] {
  const found: [Uint8Array | undefined, Uint8Array | undefined] = [undefined, undefined]
  while (reader.pos < end) {
    const tag = reader.uint32()
    const id = tag >>> 3
    if ((tag & 7) === LENGTH_DELIMITED && (id === 1 || id === 2)) found[id - 1] = reader.bytes()
    else reader.skipType(tag & 7)
  }
  return found
}

function readMessage(reader: Reader, end: number, message: string): JsonObject {
  if (end > reader.len) throw new BadProtobuf('it ends too soon')
  const object: JsonObject = {}
  while (reader.pos < end) {
    const tag = reader.uint32()
    const row = MESSAGES[message]?.[tag >>> 3]
    if (row === undefined) reader.skipType(tag & 7)
    else readField(reader, parseField(row), tag & 7, object)
  }
  return object
}

function readField(reader: Reader, field: Field, wireType: number, object: JsonObject): void {
  const { name, type, shape, flag } = field
  if (shape === '{}') {
    const map = (object[name] ??= {})
    const [key, value] = readEntry(reader, wireType, type)
    // An own property also where the key is `__proto__`.
    if (isObject(map)) Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true })
    return
  }
  const value = readValue(reader, wireType, type)
  if (flag === '^') Object.assign(object, value)
  else if (shape === '[]') {
    const list = (object[name] ??= [])
    if (Array.isArray(list)) list.push(value ?? null)
  } else if (value !== undefined && (flag === '*' || !isZero(value))) object[name] = value
}

/** An entry of a map: 1 is the key, 2 the value. */
function readEntry(reader: Reader, wireType: number, type: string): [string, JsonValue] {
  const end = endOf(reader, wireType)
  let key = ''
  let value: JsonValue = type === 'string' || type === 'bytes' ? '' : {}
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) key = readText(reader, tag & 7).toString('utf8')
    else if (tag >>> 3 === 2) value = readValue(reader, tag & 7, type) ?? null
    else reader.skipType(tag & 7)
  }
  return [key, value]
}

function readValue(reader: Reader, wireType: number, type: string): JsonValue | undefined {
  if (type === 'bool' || type === 'int32' || type === 'int64') {
    if (wireType !== 0) throw new BadProtobuf(`a ${type} is none`)
    return type === 'bool' ? reader.bool() : type === 'int32' ? reader.int32() : Number(reader.int64())
  }
  if (type === 'string' || type === 'bytes')
    return readText(reader, wireType).toString(type === 'string' ? 'utf8' : 'base64')
  const end = endOf(reader, wireType)
  const special = SPECIAL[type]
  if (special === undefined) return readMessage(reader, end, type)
  return special(readNumbers(reader, end))
}

function readText(reader: Reader, wireType: number): Buffer {
  const end = endOf(reader, wireType)
  const bytes = Buffer.from(reader.buf.subarray(reader.pos, end))
  reader.pos = end
  return bytes
}

/** The end of what follows with its length. */
function endOf(reader: Reader, wireType: number): number {
  if (wireType !== LENGTH_DELIMITED) throw new BadProtobuf('a text or message is none')
  const end = reader.uint32() + reader.pos
  if (end > reader.len) throw new BadProtobuf('it ends too soon')
  return end
}

type Scalars = ReadonlyMap<number, number | string>

/** The numbers and texts of a small message. */
function readNumbers(reader: Reader, end: number): Scalars {
  const found = new Map<number, number | string>()
  while (reader.pos < end) {
    const tag = reader.uint32()
    if ((tag & 7) === 0) found.set(tag >>> 3, Number(reader.int64()))
    else if ((tag & 7) === LENGTH_DELIMITED) found.set(tag >>> 3, reader.string())
    else reader.skipType(tag & 7)
  }
  return found
}

/** Messages that are one value in JSON; undefined where they hold nothing. */
const SPECIAL: Readonly<Record<string, (scalars: Scalars) => JsonValue | undefined>> = {
  Quantity: (scalars) => scalars.get(1) ?? '0',
  IntOrString: (scalars) => (scalars.get(1) === 1 ? (scalars.get(3) ?? '') : (scalars.get(2) ?? 0)),
  'meta.v1.Time': (scalars) => (scalars.size === 0 ? undefined : `${instantOf(scalars).slice(0, 19)}Z`),
  'meta.v1.MicroTime': (scalars) => (scalars.size === 0 ? undefined : `${instantOf(scalars).slice(0, 23)}000Z`),
  // Who wrote which field is not kept here.
  'meta.v1.FieldsV1': () => undefined,
}

/** @throws RangeError for what is no instant */
function instantOf(scalars: Scalars): string {
  return new Date(Number(scalars.get(1) ?? 0) * 1000 + Number(scalars.get(2) ?? 0) / 1_000_000).toISOString()
}

function isZero(value: JsonValue): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}
