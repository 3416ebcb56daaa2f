import { isDeeperThan, MAX_DEPTH } from '../json-value.ts'
import type { Kind } from '../kind.ts'
import type { JsonObject, JsonValue } from '../schema/json.ts'
import { ApiError, badRequest, unsupportedMediaType } from '../status.ts'
import { jsonPatch, PatchFailed, PatchMalformed, PatchTooLarge } from './json-patch.ts'
import { mergePatch } from './merge.ts'
import { strategicMergePatch } from './strategic.ts'

type PatchFunction = (target: JsonObject, patch: JsonValue) => JsonValue

const JSON_PATCH = 'application/json-patch+json'
const MERGE_PATCH = 'application/merge-patch+json'
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json'

/**
 * The function for a patch's media type; custom kinds have no strategic one.
 *
 * @throws ApiError 415 listing what the kind takes
 */
export function patchFunction(kind: Kind, type: string): PatchFunction {
  if (type === JSON_PATCH) return applyJsonPatch
  if (type === MERGE_PATCH) return mergePatch
  if (type === STRATEGIC_PATCH && !kind.custom) return strategicMergePatch
  throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH, ...(kind.custom ? [] : [STRATEGIC_PATCH])])
}

function applyJsonPatch(target: JsonObject, patch: JsonValue): JsonValue {
  try {
    const patched = jsonPatch(target, patch)
    // A short patch may nest what it copies deeper than a body may be.
    if (isDeeperThan(MAX_DEPTH, patched)) throw new PatchMalformed('exceeded max depth')
    return patched
  } catch (error) {
    if (error instanceof PatchMalformed) throw badRequest(error.message)
    if (error instanceof PatchTooLarge) throw new ApiError(413, 'RequestEntityTooLarge', error.message)
    if (error instanceof PatchFailed) {
      const message = 'the server rejected our request due to an error in our request'
      throw new ApiError(422, 'Invalid', message, { details: {} })
    }
    throw error
  }
}
