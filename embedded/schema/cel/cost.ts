import type { SchemaNode } from '../node.ts'
import { findCall, isNode } from './ast.ts'
import type { Call, CelNode } from './ast.ts'
import { celIdentifier } from './identifiers.ts'

/**
 * A bound on what a rule can cost before any object exists, so that no CRD can make a write slow.
 *
 * Nothing limits an expression while it runs, so its worst case is estimated when the CRD is created, as a kube-apiserver
 * does: one unit per step, a loop costs its body times the longest list that the schema (or, without maxItems, a
 * request) admits. The figures are rounder than cel-go's; the limits and the words are Kubernetes' own.
 */
export const RULE_COST_LIMIT = 10_000_000
export const SCHEMA_COST_LIMIT = 100_000_000

/** Bytes of the largest request that is taken. */
const MAX_REQUEST = 3_145_728
/** Bytes that an element of unknown content takes in JSON, with its comma. */
const SMALLEST_ITEM = 3
/** Reading a character costs a tenth of a step. */
const PER_CHARACTER = 0.1
/** Size of what the schema says nothing about, such as the result of a function. */
const UNKNOWN_SIZE = 100

const LOOPS = new Set(['all', 'exists', 'exists_one', 'existsOne', 'map', 'filter'])

/** What the variables of an expression stand for. */
type Scope = ReadonlyMap<string, SchemaNode | undefined>

/** The most steps that one evaluation of an expression over `self` can take. */
export function estimateCost(expression: unknown, self: SchemaNode): number {
  return costOf(
    expression,
    new Map([
      ['self', self],
      ['oldSelf', self],
    ]),
  )
}

/** How many values there can be at most at one place below a list or map: what its rules' cost is multiplied by. */
export function countOf(node: SchemaNode): number {
  const { maxItems, maxProperties, maxLength } = node.constraints
  if (node.type === 'array') return maxItems ?? MAX_REQUEST / SMALLEST_ITEM
  if (node.type === 'object') return maxProperties ?? MAX_REQUEST / SMALLEST_ITEM
  if (node.type !== 'string') return 1
  const unbounded = node.constraints.format === undefined ? MAX_REQUEST : UNKNOWN_SIZE
  return maxLength ?? longestOption(node) ?? unbounded
}

function longestOption({ constraints }: SchemaNode): number | undefined {
  return constraints.enum && Math.max(...constraints.enum.map((option) => JSON.stringify(option).length))
}

/** By how much a cost is over its limit, as a kube-apiserver words it. */
export function excess(cost: number, limit: number): string {
  const factor = cost / limit
  if (factor > 100) return 'more than 100x'
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
}

function costOf(expression: unknown, scope: Scope): number {
  if (Array.isArray(expression)) return sum(expression, scope)
  if (!isNode(expression)) return 0
  const call = findCall(expression)
  if (call !== undefined) return callCost(call, scope)
  if (expression.op === 'value' || expression.op === 'id') return 1
  return 1 + comparisonCost(expression, scope) + costOf(expression.args, scope)
}

function sum(expressions: readonly unknown[], scope: Scope): number {
  return expressions.reduce<number>((total, expression) => total + costOf(expression, scope), 0)
}

function comparisonCost({ op, args }: CelNode, scope: Scope): number {
  if (!Array.isArray(args)) return 0
  const [left, right]: unknown[] = args
  if (op === 'in') return sizeOf(right, scope)
  if (op !== '==' && op !== '!=' && op !== '+') return 0
  return Math.min(sizeOf(left, scope), sizeOf(right, scope)) * PER_CHARACTER
}

function callCost(call: Call, scope: Scope): number {
  const { name, receiver, args } = call
  const subject = costOf(receiver, scope)
  if (LOOPS.has(name) && args.length > 1) return subject + loopCost(call, scope)
  const read = receiver === undefined || name === 'size' ? 1 : sizeOf(receiver, scope) * PER_CHARACTER
  const perCharacter = name.startsWith('matches') ? Math.max(1, sizeOf(args.at(-1), scope) / 4) : 1
  return 1 + subject + sum(args, scope) + read * perCharacter
}

function loopCost({ receiver, args }: Call, scope: Scope): number {
  const [variable, ...body] = args
  const list = resolve(receiver, scope)
  const name = isNode(variable) && typeof variable.args === 'string' ? variable.args : ''
  const inner = new Map([...scope, [name, list?.items]])
  return sizeOf(receiver, scope) * (2 + sum(body, inner))
}

function sizeOf(expression: unknown, scope: Scope): number {
  if (!isNode(expression)) return UNKNOWN_SIZE
  if (expression.op === 'value') return typeof expression.args === 'string' ? expression.args.length : 1
  if (expression.op === 'list' && Array.isArray(expression.args)) return expression.args.length
  const node = resolve(expression, scope)
  if (node !== undefined) return countOf(node)
  const call = findCall(expression)
  return call?.receiver === undefined ? UNKNOWN_SIZE : sizeOf(call.receiver, scope)
}

/** The place of the schema that a path such as `self.spec.items[0]` leads to. */
function resolve(expression: unknown, scope: Scope): SchemaNode | undefined {
  if (!isNode(expression)) return undefined
  if (expression.op === 'id') return typeof expression.args === 'string' ? scope.get(expression.args) : undefined
  if (!Array.isArray(expression.args)) return undefined
  const [parent, key]: unknown[] = expression.args
  const place = resolve(parent, scope)
  if (place === undefined) return undefined
  const values = typeof place.additionalProperties === 'object' ? place.additionalProperties : undefined
  if (expression.op.startsWith('[')) return place.items ?? values
  if (!expression.op.startsWith('.')) return undefined
  return [...place.properties].find(([name]) => celIdentifier(name) === key)?.[1] ?? values
}
