/** Reading of JSON that others wrote: what does not have the expected form reads as absent. */
import { type JsonObject, isJsonObject } from '../json.ts'
import { SESSION_ID_PATTERN } from '../execution/patterns.ts'
import { clip } from '../text.ts'

export type Fields = JsonObject

/** The object in `of[name]`; an empty one when it is none. */
export function fieldsIn(of: Fields, name: string): Fields {
  const value = of[name]
  return isJsonObject(value) ? value : {}
}

/** The objects in the list `of[name]`. */
export function listIn(of: Fields, name: string): readonly Fields[] {
  const value = of[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

export function textIn(of: Fields, name: string): string | undefined {
  const value = of[name]
  return typeof value === 'string' ? value : undefined
}

export function numberIn(of: Fields, name: string): number | undefined {
  const value = of[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A count that a Kubernetes integer can hold. */
export function countIn(of: Fields, name: string): number | undefined {
  const value = numberIn(of, name)
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** An amount of money, which is never negative. */
export function amountIn(of: Fields, name: string): number | undefined {
  const value = numberIn(of, name)
  return value !== undefined && value >= 0 ? value : undefined
}

const SESSION_ID = new RegExp(SESSION_ID_PATTERN)

/** The name of a session, where it is one that can be resumed: another would make the whole outcome unreadable. */
export function sessionIn(of: Fields, name: string): string | undefined {
  const value = textIn(of, name)
  return value !== undefined && value.length <= 200 && SESSION_ID.test(value) ? value : undefined
}

/** `{[name]: value}`, or nothing when the value is undefined. */
export function optionalField<N extends string, T>(name: N, value: T | undefined): { readonly [K in N]?: T } {
  const member: { [K in N]?: T } = {}
  if (value !== undefined) member[name] = value
  return member
}

/** Longest text of one event, in UTF-16 units; the whole stands in stdout. */
const MAX_EVENT_TEXT = 64 * 1024

/** A text as an event carries it. */
export function eventText(text: string): string {
  return clip(text, MAX_EVENT_TEXT)
}

/** The input of a tool as an event carries it: whole where it is small, else its JSON cut. */
export function eventInput(input: unknown): unknown {
  const text = JSON.stringify(input) ?? 'null'
  return text.length <= MAX_EVENT_TEXT ? input : clip(text, MAX_EVENT_TEXT)
}
