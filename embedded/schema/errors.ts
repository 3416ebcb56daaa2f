/** Why a field is refused, in the words of `metav1.CauseType`. */
export type FieldReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueTypeInvalid'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'

/** One cause of a 422: where, why, and the message as a kube-apiserver words it, without the field in front. */
export interface FieldError {
  readonly reason: FieldReason
  readonly field: string
  readonly message: string
}

/** A schema that cannot be compiled; says where and why. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly errors: readonly FieldError[]

  constructor(errors: readonly FieldError[], options?: ErrorOptions) {
    super(errors.map(({ field, message }) => `${field}: ${message}`).join(', '), options)
    this.errors = errors
  }
}
