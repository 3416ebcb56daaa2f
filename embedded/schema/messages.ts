import type { FieldError, FieldReason } from './errors.ts'
import type { JsonValue } from './json.ts'

/** The causes of a 422 as kube-apiserver 1.34 words them; each was read off a real one (wire.md B2). */
export const fieldError = {
  required: (field: string): FieldError => error('FieldValueRequired', field, 'Required value'),
  type: (field: string, wanted: string, found: string): FieldError =>
    error(
      'FieldValueTypeInvalid',
      field,
      `Invalid value: ${quote(found)}: ${field} in body must be of type ${wanted}: ${quote(found)}`,
    ),
  dateTime: (field: string, value: string): FieldError =>
    error(
      'FieldValueTypeInvalid',
      field,
      `Invalid value: ${quote(value)}: ${field} in body must be of type date-time: ${quote(value)}`,
    ),
  notSupported: (field: string, value: JsonValue, options: readonly JsonValue[]): FieldError =>
    error(
      'FieldValueNotSupported',
      field,
      `Unsupported value: ${JSON.stringify(value)}: supported values: ${options.map(quoteOption).join(', ')}`,
    ),
  body: (field: string, value: JsonValue, rest: string): FieldError =>
    error('FieldValueInvalid', field, `Invalid value: ${JSON.stringify(value)}: ${field} in body ${rest}`),
  /** Says bytes although characters are counted, as kube-apiserver 1.34 does. */
  tooLong: (field: string, max: number): FieldError =>
    error('FieldValueTooLong', field, `Too long: may not be more than ${max} bytes`),
  tooMany: (field: string, count: number, max: number): FieldError =>
    error('FieldValueTooMany', field, `Too many: ${count}: must have at most ${max} item${max === 1 ? '' : 's'}`),
  duplicate: (field: string, value: JsonValue): FieldError =>
    error('FieldValueDuplicate', field, `Duplicate value: ${JSON.stringify(value)}`),
  anyOf: (path: string): FieldError =>
    error('FieldValueInvalid', '<nil>', `Invalid value: "": ${quote(path)} must validate at least one schema (anyOf)`),
  /** Follows schema errors when CEL rules were left out because of them. */
  rulesSkipped: (): FieldError =>
    error(
      'FieldValueInvalid',
      '<nil>',
      'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ),
} as const

function error(reason: FieldReason, field: string, message: string): FieldError {
  return { reason, field, message }
}

/** Go's %q for the strings that occur in messages. */
function quote(text: string): string {
  return JSON.stringify(text)
}

function quoteOption(option: JsonValue): string {
  return quote(typeof option === 'string' ? option : JSON.stringify(option))
}
