import type { DeleteOptions } from '../objects.ts'
import { type JsonValue, isObject } from '../schema/json.ts'
import { badRequest, unsupportedOption } from '../status.ts'
import { isDryRun, wholeNumber } from './query.ts'

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const

export interface DeleteRequest {
  readonly how: DeleteOptions
  readonly dryRun: boolean
}

/**
 * What a DELETE asks for, from its body and, where the body is silent, its query. A condition or a trial that is written
 * wrong is never passed over, for what is deleted then is gone.
 *
 * @throws ApiError 400 or 422
 */
export function toDeleteRequest(body: JsonValue | undefined, query: URLSearchParams): DeleteRequest {
  const options = read(body, 'the body', isObject, 'an object') ?? {}
  const { uid, resourceVersion } = read(options['preconditions'], 'preconditions', isObject, 'an object') ?? {}
  const policy = read(options['propagationPolicy'], 'propagationPolicy', isText, 'a string')
  // The older way to say it.
  const isOrphaning = read(options['orphanDependents'], 'orphanDependents', isBoolean, 'a boolean')
  if (policy !== undefined && isOrphaning !== undefined)
    throw badRequest('orphanDependents and propagationPolicy cannot be both set')
  const older = isOrphaning === undefined ? undefined : isOrphaning ? 'Orphan' : 'Background'
  const grace = read(options['gracePeriodSeconds'], 'gracePeriodSeconds', isWhole, 'a whole number')
  const dryRun = read(options['dryRun'], 'dryRun', areTexts, 'a list of strings') ?? []
  return {
    how: {
      propagationPolicy: policyOf(policy ?? older ?? (query.get('propagationPolicy') || undefined)),
      gracePeriodSeconds: grace ?? wholeNumber(query, 'gracePeriodSeconds'),
      preconditions: {
        uid: read(uid, 'preconditions.uid', isText, 'a string'),
        resourceVersion: read(resourceVersion, 'preconditions.resourceVersion', isText, 'a string'),
      },
    },
    dryRun: isDryRun('DeleteOptions', [...query.getAll('dryRun'), ...dryRun]),
  }
}

function policyOf(wanted: string | undefined): DeleteOptions['propagationPolicy'] {
  if (wanted === undefined) return undefined
  const policy = POLICIES.find((name) => name === wanted)
  if (policy === undefined) throw unsupportedOption('DeleteOptions', 'propagationPolicy', wanted, POLICIES)
  return policy
}

/** @throws ApiError 400 for a value of another type */
function read<T extends JsonValue>(
  value: JsonValue | undefined,
  field: string,
  isOfType: (value: JsonValue) => value is T,
  type: string,
): T | undefined {
  if (value === undefined || value === null) return undefined
  if (!isOfType(value)) throw badRequest(`DeleteOptions cannot be decoded: ${field} must be ${type}`)
  return value
}

const isText = (value: JsonValue): value is string => typeof value === 'string'
const isBoolean = (value: JsonValue): value is boolean => typeof value === 'boolean'
const isWhole = (value: JsonValue): value is number => Number.isInteger(value)
const areTexts = (value: JsonValue): value is string[] => Array.isArray(value) && value.every(isText)
