import type { DeleteOptions } from '../objects.ts'
import { type JsonObject, type JsonValue, isObject } from '../schema/json.ts'
import { badRequest, unsupportedOption } from '../status.ts'
import { wholeNumber } from './query.ts'

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const

export interface DeleteRequest {
  readonly how: DeleteOptions
  readonly dryRun: boolean
}

/** What a DELETE asks for, from its body and, where the body is silent, its query. @throws ApiError 400 or 422 */
export function toDeleteRequest(body: JsonValue | undefined, query: URLSearchParams): DeleteRequest {
  const options: JsonObject = isObject(body) ? body : {}
  const dryRun = query.get('dryRun') ?? ''
  const inBody = Array.isArray(options['dryRun']) && options['dryRun'].includes('All')
  if (dryRun !== '' && dryRun !== 'All') throw unsupportedOption('DeleteOptions', 'dryRun', dryRun, ['All'])
  return {
    how: {
      propagationPolicy: policyOf(options['propagationPolicy'] ?? query.get('propagationPolicy') ?? ''),
      gracePeriodSeconds: graceOf(options['gracePeriodSeconds']) ?? wholeNumber(query, 'gracePeriodSeconds'),
      preconditions: preconditionsOf(options['preconditions']),
    },
    dryRun: inBody || dryRun === 'All',
  }
}

function policyOf(wanted: JsonValue): DeleteOptions['propagationPolicy'] {
  if (wanted === '') return undefined
  const policy = POLICIES.find((name) => name === wanted)
  if (policy === undefined)
    throw unsupportedOption('DeleteOptions', 'propagationPolicy', JSON.stringify(wanted), POLICIES)
  return policy
}

function graceOf(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number') throw badRequest('gracePeriodSeconds must be a number')
  return value
}

function preconditionsOf(value: JsonValue | undefined): DeleteOptions['preconditions'] {
  if (!isObject(value)) return undefined
  const { uid, resourceVersion } = value
  return {
    uid: typeof uid === 'string' ? uid : undefined,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
  }
}
