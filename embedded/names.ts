import type { Kind } from './kind.ts'
import type { ApiObject, ObjectMeta } from './objects.ts'
import type { FieldError } from './schema/errors.ts'

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/
/** The key of a label. */
export const QUALIFIED = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/
export const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?)?$/
const MAX_ANNOTATIONS_BYTES = 256 * 1024

/** Letters that spell no words and cannot be mistaken for one another; the alphabet that Kubernetes uses too. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX_LENGTH = 5
/** Longest base of a generated name; the rest of 63 is the suffix. */
const MAX_BASE_LENGTH = 58

const SUBDOMAIN_HELP =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const LABEL_HELP =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

/** `base` and a random end, short enough for a label. */
export function generateName(base: string, randomBytes: (size: number) => Uint8Array): string {
  const suffix = [...randomBytes(SUFFIX_LENGTH)].map((byte) => SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length])
  return base.slice(0, MAX_BASE_LENGTH) + suffix.join('')
}

/** What is wrong with the metadata; `old` is the stored object of an update. */
export function validateMetadata(kind: Kind, { metadata }: ApiObject, old: ApiObject | undefined): FieldError[] {
  return [
    ...(old === undefined ? validateName(kind, metadata.name) : []),
    ...validateLabels(metadata.labels ?? {}),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwners(metadata),
    ...validateFinalizers(metadata, old?.metadata),
  ]
}

function validateName(kind: Kind, name: string): FieldError[] {
  const field = 'metadata.name'
  if (name === '')
    return [{ reason: 'FieldValueRequired', field, message: 'Required value: name or generateName is required' }]
  if (kind.plural === 'namespaces') return validateLabelName(field, name)
  if (name.length > 253) return [invalidValue(field, name, 'must be no more than 253 characters')]
  return SUBDOMAIN.test(name) ? [] : [invalidValue(field, name, SUBDOMAIN_HELP)]
}

/** What is wrong with a name that has no dots: whoever makes a path of it stays in its folder. */
export function validateLabelName(field: string, name: string): FieldError[] {
  if (name.length > 63) return [invalidValue(field, name, 'must be no more than 63 characters')]
  return LABEL.test(name) ? [] : [invalidValue(field, name, LABEL_HELP)]
}

function validateLabels(labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...(isQualifiedName(key) ? [] : [invalidValue('metadata.labels', key, 'name part must be a qualified name')]),
    ...(LABEL_VALUE.test(value)
      ? []
      : [
          invalidValue(
            'metadata.labels',
            value,
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character, and be no more than 63 characters",
          ),
        ]),
  ])
}

function validateAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const field = 'metadata.annotations'
  const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0)
  return [
    ...Object.keys(annotations)
      .filter((key) => !isQualifiedName(key.toLowerCase()))
      .map((key) => invalidValue(field, key, 'name part must be a qualified name')),
    ...(bytes > MAX_ANNOTATIONS_BYTES
      ? [
          {
            reason: 'FieldValueTooLong',
            field,
            message: `Too long: may not be more than ${MAX_ANNOTATIONS_BYTES} bytes`,
          } as const,
        ]
      : []),
  ]
}

function validateOwners({ ownerReferences = [] }: ObjectMeta): FieldError[] {
  return ownerReferences.flatMap((owner, i) =>
    (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((field) => typeof owner[field] !== 'string' || owner[field] === '')
      .map((field) => invalidValue(`metadata.ownerReferences[${i}].${field}`, '', `${field} must not be empty`)),
  )
}

function validateFinalizers(metadata: ObjectMeta, old: ObjectMeta | undefined): FieldError[] {
  const field = 'metadata.finalizers'
  const names = metadata.finalizers ?? []
  const bad = names.filter((name) => !isQualifiedName(name))
  if (old?.deletionTimestamp === undefined) {
    return bad.map((name) => invalidValue(field, name, 'name part must be a qualified name'))
  }
  const added = names.filter((name) => !(old.finalizers ?? []).includes(name))
  if (added.length === 0) return []
  const list = added.map((name) => JSON.stringify(name)).join(', ')
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
  return [{ reason: 'FieldValueForbidden', field, message }]
}

function isQualifiedName(name: string): boolean {
  return QUALIFIED.test(name) && name.length <= 317
}

function invalidValue(field: string, value: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${detail}` }
}
