import { badRequest, unsupportedOption } from '../status.ts'
import { type WriteOptions, FIELD_VALIDATIONS } from '../verbs.ts'

/** @throws ApiError 400, worded as Go's parser does */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}

/** Go's strconv.ParseBool, of which API servers take any form. */
export function flag(query: URLSearchParams, name: string): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(query.get(name) ?? '')
}

/** @throws ApiError 422 for anything but All: who asks for a trial in other words must not get the deed */
export function isDryRun(options: string, wanted: readonly string[]): boolean {
  const unknown = wanted.find((value) => value !== 'All')
  if (unknown !== undefined) throw unsupportedOption(options, 'dryRun', unknown, ['All'])
  return wanted.length > 0
}

/** @throws ApiError 422 for a value that does not exist */
export function writeOptions(query: URLSearchParams, options: string): WriteOptions {
  const dryRun = isDryRun(options, query.getAll('dryRun'))
  const wanted = query.get('fieldValidation') ?? ''
  const fieldValidation = FIELD_VALIDATIONS.find((name) => name === wanted)
  if (wanted !== '' && fieldValidation === undefined) {
    throw unsupportedOption(options, 'fieldValidation', wanted, ['', ...FIELD_VALIDATIONS])
  }
  return { dryRun, ...(fieldValidation === undefined ? {} : { fieldValidation }) }
}
