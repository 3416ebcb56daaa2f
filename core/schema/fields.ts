import { type TSchema, Type } from 'typebox'

/** An object that refuses members it does not name, so that a misspelt field is an error and not silence. */
export function closed<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

/** `Type.Optional` by a shorter name: an absent value is left out, never null. */
export const maybe = Type.Optional

/** RFC 3339 in UTC. */
export const Instant = Type.String({ format: 'date-time' })

/** `metadata.name` of the resource behind a record. */
export const RecordId = Type.String()

/** Path parameters of everything that is addressed by id. */
export const ById = closed({ id: RecordId })
