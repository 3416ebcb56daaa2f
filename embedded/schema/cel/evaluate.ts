import { type ParseResult, EvaluationError } from '@marcbachmann/cel-js'
import type { FieldError } from '../errors.ts'
import { type JsonValue, fieldOf, isObject, jsonEquals } from '../json.ts'
import { matchItems } from '../lists.ts'
import type { SchemaNode } from '../node.ts'

/** One compiled rule and what a failure says. */
export interface RuleProgram {
  readonly run: ParseResult
  readonly message?: ParseResult
  /** What a failure says when there is no message expression. */
  readonly text: string
  /** What an error names the rule by. */
  readonly name: string
  /** Appended to the field of the error. */
  readonly path: string
  readonly isTransition: boolean
}

/** The part of a schema that leads to rules. */
export interface RuleNode {
  readonly schema: SchemaNode
  readonly rules: readonly RuleProgram[]
  readonly convert?: (raw: JsonValue) => unknown
  readonly properties: readonly (readonly [string, RuleNode])[]
  readonly values?: RuleNode
  readonly items?: RuleNode
}

/** What an update replaces at one place. */
interface Stored {
  /** Undefined where nothing is known to be the value's earlier form. */
  readonly value: JsonValue | undefined
  /** Whether the update leaves this place as it was; without an earlier form, the closest place above that has one. */
  readonly isKept: () => boolean
}

/** Runs the rules of a node and of everything below it that the value has; `old` is the stored value of an update. */
export function evaluateRules(
  node: RuleNode,
  value: JsonValue,
  old: JsonValue | undefined,
  path: string,
  errors: FieldError[],
): void {
  evaluateNode(node, value, storedAt(value, old, { value: undefined, isKept: () => false }), path, errors)
}

function storedAt(value: JsonValue, old: JsonValue | undefined, above: Stored): Stored {
  return old === undefined
    ? { value: undefined, isKept: above.isKept }
    : { value: old, isKept: () => jsonEquals(value, old) }
}

function evaluateNode(node: RuleNode, value: JsonValue, stored: Stored, path: string, errors: FieldError[]): void {
  if (value === null) return
  if (node.rules.length > 0) evaluateOwn(node, value, stored, path, errors)
  const { value: old } = stored
  const below = (child: RuleNode, part: JsonValue, oldPart: JsonValue | undefined, at: string): void =>
    evaluateNode(child, part, storedAt(part, oldPart, stored), at, errors)
  const { items, values } = node
  if (Array.isArray(value) && items !== undefined) {
    const oldOf = matchItems(node.schema, old)
    value.forEach((item, i) => below(items, item, oldOf?.(item), `${path}[${i}]`))
  } else if (isObject(value)) {
    for (const [name, child] of node.properties) {
      const field = fieldOf(value, name)
      const oldField = isObject(old) ? fieldOf(old, name) : undefined
      if (field !== undefined) below(child, field, oldField, path === '' ? name : `${path}.${name}`)
    }
    if (values === undefined) return
    for (const [key, entry] of Object.entries(value)) {
      below(values, entry, isObject(old) ? fieldOf(old, key) : undefined, `${path}[${key}]`)
    }
  }
}

function evaluateOwn(node: RuleNode, value: JsonValue, stored: Stored, path: string, errors: FieldError[]): void {
  const convert = (raw: JsonValue): unknown => (node.convert === undefined ? raw : node.convert(raw))
  const self = convert(value)
  const old = stored.value ?? undefined
  for (const rule of node.rules) {
    if (rule.isTransition && old === undefined) continue
    const problem = evaluateRule(rule, { self, ...(old === undefined ? {} : { oldSelf: convert(old) }) })
    if (problem === undefined) continue
    // Ratcheting: what an update leaves as it was is not refused for a rule that came later.
    if (!rule.isTransition && stored.isKept()) continue
    errors.push(failure(rule, problem, node.schema.type ?? '', path))
  }
}

/** What is wrong, in words, or undefined when the rule holds. */
function evaluateRule(rule: RuleProgram, context: Record<string, unknown>): string | undefined {
  try {
    const holds: unknown = rule.run(context)
    return holds === true ? undefined : messageOf(rule, context)
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    return `${reword(error)} evaluating rule: ${rule.name}`
  }
}

/** A message expression that fails, or says nothing or several lines, falls back to the plain message. */
function messageOf(rule: RuleProgram, context: Record<string, unknown>): string {
  if (rule.message === undefined) return rule.text
  try {
    const text: unknown = rule.message(context)
    return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text : rule.text
  } catch (error) {
    if (error instanceof EvaluationError) return rule.text
    throw error
  }
}

function failure(rule: RuleProgram, problem: string, type: string, path: string): FieldError {
  const field = `${path}${rule.path}`
  const at = field.startsWith('.') ? field.slice(1) : field === '' ? '<nil>' : field
  return { reason: 'FieldValueInvalid', field: at, message: `Invalid value: ${JSON.stringify(type)}: ${problem}` }
}

/** The library's run-time errors in the words of cel-go. */
function reword(error: EvaluationError): string {
  const [, ...behind] = error.summary.split(': ')
  const detail = behind.join(': ')
  if (error.code === 'no_such_key') return `no such key: ${detail}`
  if (error.code !== 'index_out_of_bounds') return error.summary
  return `index out of bounds: ${/index (-?\d+)/.exec(detail)?.[1] ?? ''}`
}
