import { LABEL_VALUE, QUALIFIED } from './names.ts'
import { badRequest } from './status.ts'

/** The values that a selector looks at; a field that is not selectable is undefined. */
export type Lookup = (key: string) => string | undefined

export interface Requirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan'
  readonly values: readonly string[]
}

/**
 * Parses a label selector: `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x)`, `a`, `!a`, `a>1`, `a<1`, joined by
 * commas that all must hold. Source: Kubernetes, "Labels and Selectors".
 *
 * @throws ApiError 400 naming what was not understood
 */
export function parseLabelSelector(text: string): Requirement[] {
  return splitOutsideParentheses(text).map(parseRequirement)
}

function splitOutsideParentheses(text: string): string[] {
  if (text.trim() === '') return []
  return splitAtCommas(text, /\([^)]*|[^,(]+|,/g).map((part) => part.trim())
}

/** The parts between the commas that are a token of their own. */
function splitAtCommas(text: string, tokens: RegExp): string[] {
  const parts = ['']
  for (const [token] of text.matchAll(tokens)) parts.push(token === ',' ? '' : `${parts.pop() ?? ''}${token}`)
  return parts
}

const SHAPES: readonly { readonly pattern: RegExp; readonly operator: Requirement['operator'] }[] = [
  { pattern: /^!\s*(\S+)$/, operator: 'DoesNotExist' },
  { pattern: /^(\S+)\s+in\s*\(([^()]*)\)$/, operator: 'In' },
  { pattern: /^(\S+)\s+notin\s*\(([^()]*)\)$/, operator: 'NotIn' },
  { pattern: /^([^\s=!<>]+)\s*!=\s*(\S*)$/, operator: 'NotIn' },
  { pattern: /^([^\s=!<>]+)\s*==?\s*([^\s=]*)$/, operator: 'In' },
  { pattern: /^([^\s=!<>]+)\s*>\s*(-?\d+)$/, operator: 'GreaterThan' },
  { pattern: /^([^\s=!<>]+)\s*<\s*(-?\d+)$/, operator: 'LessThan' },
  { pattern: /^([^\s=!<>]+)$/, operator: 'Exists' },
]

function parseRequirement(text: string): Requirement {
  for (const { pattern, operator } of SHAPES) {
    const [, key, list] = pattern.exec(text) ?? []
    if (key === undefined) continue
    const values = list === undefined ? [] : list.split(',').map((value) => value.trim())
    if (!QUALIFIED.test(key)) break
    if (values.some((value) => !LABEL_VALUE.test(value) && !/^-\d+$/.test(value))) break
    return { key, operator, values }
  }
  throw badRequest(`unable to parse requirement: ${foundIn(text)}`)
}

function foundIn(text: string): string {
  const first = /^[=!<>,()]+/.exec(text)
  return first === null ? `invalid label selector "${text}"` : `found '${first[0]}', expected: identifier`
}

export function matchesLabels(requirements: readonly Requirement[], labels: Readonly<Record<string, string>>): boolean {
  return requirements.every((requirement) => holds(requirement, ownValue(labels, requirement.key)))
}

function ownValue(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}

function holds({ operator, values }: Requirement, actual: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual)
    case 'NotIn':
      // As in Kubernetes, an object without the label is not in the set either.
      return actual === undefined || !values.includes(actual)
    case 'Exists':
      return actual !== undefined
    case 'DoesNotExist':
      return actual === undefined
    case 'GreaterThan':
      return compare(actual, values, (a, b) => a > b)
    case 'LessThan':
      return compare(actual, values, (a, b) => a < b)
    default:
      return operator satisfies never
  }
}

function compare(
  actual: string | undefined,
  [bound]: readonly string[],
  test: (a: bigint, b: bigint) => boolean,
): boolean {
  return actual !== undefined && /^-?\d+$/.test(actual) && bound !== undefined && test(BigInt(actual), BigInt(bound))
}

export interface FieldRequirement {
  readonly field: string
  readonly isEqual: boolean
  readonly value: string
}

/**
 * Parses a field selector: `a=b`, `a==b`, `a!=b` joined by commas; backslash escapes `,`, `=` and itself.
 *
 * @param isSelectable - which fields the kind offers
 * @throws ApiError 400 `field label not supported: x`
 */
export function parseFieldSelector(text: string, isSelectable: (field: string) => boolean): FieldRequirement[] {
  return splitUnescaped(text)
    .filter((part) => part !== '')
    .map((part) => {
      const [, field, operator, value] = /^([^=!]+)(!=|==?)((?:\\.|[^=\\])*)$/.exec(part) ?? []
      if (field === undefined || value === undefined) {
        throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`)
      }
      if (!isSelectable(field)) throw badRequest(`field label not supported: ${field}`)
      return { field, isEqual: operator !== '!=', value: value.replaceAll(/\\(.)/g, '$1') }
    })
}

function splitUnescaped(text: string): string[] {
  return splitAtCommas(text, /\\[^]?|[^,\\]+|,/g)
}

/** A field that the object does not have is the empty string, as in Kubernetes. */
export function matchesFields(requirements: readonly FieldRequirement[], lookup: Lookup): boolean {
  return requirements.every(({ field, isEqual, value }) => ((lookup(field) ?? '') === value) === isEqual)
}
