/**
 * The check of {@link AgentOutcome}, by hand: loading a schema library would cost deliver more than the rest of its
 * start. The schema in core/execution/result.ts stays the rule; test/runner/agent/parse-outcome.test.ts holds this file to
 * it, value by value.
 */
import { ANSWER_FORM_VALUES, ERROR_CATEGORY_VALUES, OUTCOME_VALUES } from '../../core/crd/enums.ts'
import type { AgentOutcome, ExecutionError, Question } from '../../core/execution/result.ts'
import { SESSION_ID_PATTERN } from '../../core/execution/session-id.ts'
import type { JsonObject } from '../../core/json.ts'
import { isJsonObject } from '../../core/json.ts'

/** The outcome in an unknown value, without fields that the schema does not name; undefined when it does not fit. */
export function parseOutcome(value: unknown): AgentOutcome | undefined {
  if (!isJsonObject(value)) return undefined
  const known = pick(value, [
    'schemaVersion',
    'execution',
    'jobNumber',
    'outcome',
    'exitCode',
    'startedAt',
    'finishedAt',
    'sessionId',
    'summary',
    'costUSD',
    'turns',
    'answer',
    'resumeAfter',
  ])
  const nested = {
    ...(value['error'] === undefined ? {} : { error: isJsonObject(value['error']) ? pickError(value['error']) : null }),
    ...(value['tokens'] === undefined
      ? {}
      : { tokens: isJsonObject(value['tokens']) ? pickTokens(value['tokens']) : null }),
    ...(value['questions'] === undefined ? {} : { questions: pickQuestions(value['questions']) }),
  }
  const candidate = { ...known, ...nested }
  return isOutcome(candidate) ? candidate : undefined
}

const pickError = (error: JsonObject): JsonObject => pick(error, ['category', 'message'])
const TOKENS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const
const pickTokens = (tokens: JsonObject): JsonObject => pick(tokens, TOKENS)

function pickQuestions(value: unknown): unknown {
  if (!Array.isArray(value)) return null
  const items: unknown[] = value
  return items.map((item) => (isJsonObject(item) ? pick(item, ['text', 'header', 'options', 'multiple']) : null))
}

const SESSION_ID = new RegExp(SESSION_ID_PATTERN)

function isSessionId(value: unknown): boolean {
  return isText(value, 200) && SESSION_ID.test(value)
}

function isOutcome(value: JsonObject): value is JsonObject & AgentOutcome {
  return (
    value['schemaVersion'] === 1 &&
    isText(value['execution']) &&
    isCount(value['jobNumber'], 1) &&
    OUTCOME_VALUES.some((outcome) => outcome === value['outcome']) &&
    isText(value['startedAt']) &&
    isText(value['finishedAt']) &&
    optional(value['error'], isError) &&
    optional(value['exitCode'], Number.isInteger) &&
    optional(value['sessionId'], isSessionId) &&
    optional(value['summary'], (text) => isText(text, 16_384)) &&
    optional(value['questions'], (list) => Array.isArray(list) && list.length <= 20 && list.every(isQuestion)) &&
    optional(value['costUSD'], (cost) => Number.isFinite(cost) && Number(cost) >= 0) &&
    optional(value['tokens'], (tokens) => isJsonObject(tokens) && TOKENS.every((name) => isCount(tokens[name], 0))) &&
    optional(value['turns'], (turns) => isCount(turns, 0)) &&
    optional(value['answer'], (answer) => ANSWER_FORM_VALUES.some((form) => form === answer)) &&
    optional(value['resumeAfter'], (text) => isText(text))
  )
}

function isError(value: unknown): value is ExecutionError {
  return (
    isJsonObject(value) &&
    ERROR_CATEGORY_VALUES.some((category) => category === value['category']) &&
    isText(value['message'], 4096)
  )
}

function isQuestion(value: unknown): value is Question {
  if (!isJsonObject(value)) return false
  const isOptions = (list: unknown): boolean =>
    Array.isArray(list) && list.length <= 50 && list.every((option) => isText(option, 4096))
  return (
    isText(value['text'], 65_536) &&
    optional(value['header'], (text) => isText(text, 200)) &&
    optional(value['options'], isOptions) &&
    optional(value['multiple'], (flag) => typeof flag === 'boolean')
  )
}

function optional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value)
}

// JSON Schema counts characters, not UTF-16 units.
function isText(value: unknown, maxLength = Number.POSITIVE_INFINITY): value is string {
  if (typeof value !== 'string') return false
  return value.length <= maxLength || (value.length <= 2 * maxLength && Array.from(value).length <= maxLength)
}

function isCount(value: unknown, minimum: number): boolean {
  return Number.isInteger(value) && Number(value) >= minimum
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
}
