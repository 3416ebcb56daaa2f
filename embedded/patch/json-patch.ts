import { type JsonObject, type JsonValue, isObject, jsonEquals } from '../schema/json.ts'
import { setOwn } from './merge.ts'

/** The patch is well-formed but does not fit the object: a failed test, a path that does not exist. */
export class PatchFailed extends Error {
  override readonly name = 'PatchFailed'
}

/** The body is not a JSON patch. */
export class PatchMalformed extends Error {
  override readonly name = 'PatchMalformed'
}

/** More operations than this in one request are refused, as a kube-apiserver does. */
const MAX_OPERATIONS = 10_000

/** What the copies of a patch may add up to, as in a kube-apiserver: thirty that each copy the one before fill the memory. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024

/** The copies of a patch are larger than one may make them. */
export class PatchTooLarge extends Error {
  override readonly name = 'PatchTooLarge'
}

/**
 * Applies a JSON patch, RFC 6902, to a copy.
 *
 * @throws PatchMalformed, PatchFailed or PatchTooLarge
 */
export function jsonPatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch)) {
    throw new PatchMalformed('json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp')
  }
  if (patch.length > MAX_OPERATIONS) throw new PatchMalformed(`a patch may have ${MAX_OPERATIONS} operations at most`)
  let copiedBytes = 0
  const copy = (value: JsonValue): JsonValue => {
    const text = JSON.stringify(value)
    copiedBytes += Buffer.byteLength(text)
    if (copiedBytes > MAX_COPIED_BYTES)
      throw new PatchTooLarge(`the copies of a patch may add up to ${MAX_COPIED_BYTES} bytes at most`)
    return JSON.parse(text)
  }
  return patch.reduce<JsonValue>((root, operation) => applyOperation(root, operation, copy), structuredClone(target))
}

function applyOperation(root: JsonValue, operation: JsonValue, copy: (value: JsonValue) => JsonValue): JsonValue {
  if (!isObject(operation)) throw new PatchMalformed('an operation of a JSON patch is an object')
  const path = parsePointer(operation['path'])
  const op = typeof operation['op'] === 'string' ? operation['op'] : ''
  switch (op) {
    case 'add':
      return add(root, path, valueOf(operation))
    case 'remove':
      return remove(root, path)
    case 'replace':
      resolve(root, path)
      return path.length === 0 ? valueOf(operation) : add(remove(root, path), path, valueOf(operation))
    case 'move':
      return move(root, parsePointer(operation['from']), path)
    case 'copy':
      return add(root, path, copy(resolve(root, parsePointer(operation['from']))))
    case 'test':
      if (!jsonEquals(resolve(root, path), valueOf(operation))) throw new PatchFailed(`test failed at ${pointer(path)}`)
      return root
    default:
      throw new PatchMalformed(`unknown operation ${JSON.stringify(operation['op'])}`)
  }
}

function valueOf(operation: JsonObject): JsonValue {
  const { value } = operation
  if (value === undefined) throw new PatchMalformed('the operation has no value')
  return structuredClone(value)
}

function move(root: JsonValue, from: readonly string[], path: readonly string[]): JsonValue {
  const isInside = path.length > from.length && from.every((token, i) => token === path[i])
  if (isInside) throw new PatchFailed(`${pointer(from)} cannot move into itself`)
  const value = resolve(root, from)
  return add(remove(root, from), path, value)
}

function parsePointer(text: JsonValue | undefined): string[] {
  if (text === '') return []
  if (typeof text !== 'string' || !text.startsWith('/')) throw new PatchMalformed('a path starts with /')
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function pointer(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function resolve(root: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>((value, token, depth) => {
    const found = Array.isArray(value)
      ? value[arrayIndex(token, value.length - 1)]
      : isObject(value) && Object.hasOwn(value, token)
        ? value[token]
        : undefined
    if (found === undefined) throw new PatchFailed(`nothing at ${pointer(path.slice(0, depth + 1))}`)
    return found
  }, root)
}

function add(root: JsonValue, path: readonly string[], value: JsonValue): JsonValue {
  const last = path.at(-1)
  if (last === undefined) return value
  const parent = resolve(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(last === '-' ? parent.length : arrayIndex(last, parent.length), 0, value)
  else if (isObject(parent)) setOwn(parent, last, value)
  else throw new PatchFailed(`nothing can be added at ${pointer(path)}`)
  return root
}

function remove(root: JsonValue, path: readonly string[]): JsonValue {
  resolve(root, path)
  const last = path.at(-1)
  if (last === undefined) throw new PatchFailed('the whole object cannot be removed')
  const parent = resolve(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(arrayIndex(last, parent.length - 1), 1)
  else if (isObject(parent)) delete parent[last]
  return root
}

function arrayIndex(token: string, max: number): number {
  const index = /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : -1
  if (index < 0 || index > max) throw new PatchFailed(`no index ${token} in an array`)
  return index
}
