/** Lines of the log as people read them: time, level, message, what went wrong, and the fields that say where. */
import { prettyFactory } from 'pino-pretty'
import { asRecord, parseJson } from '../core/json.ts'
import { indent, oneLine } from './client/text.ts'

/** Enough for the cause of a failure; the whole stands in the JSON lines, and here at log level debug. */
const MAX_LENGTH = 600

export interface LineOptions {
  readonly hasColor: boolean
  /** Adds the stacks of errors, and leaves texts as long as they are. */
  readonly hasStacks: boolean
}

/** Makes a line of JSON from the log a line for people. What it reads is redacted already. */
export function linePrinter({ hasColor, hasStacks }: LineOptions): (line: string) => string {
  const length = hasStacks ? Infinity : MAX_LENGTH
  const print = prettyFactory({ colorize: hasColor, hideObject: true, translateTime: 'SYS:HH:MM:ss' })
  return (line) => {
    const { level, time, msg, error, ...fields } = asRecord(parseJson(line))
    const errors = errorsOf(error)
    const text = [msg, ...tellingOf(errors)].join(': ')
    const about = Object.entries(fields).map(([name, value]) => `${name} ${inWords(value)}`)
    const whole = oneLine(about.length === 0 ? text : `${text} (${about.join(', ')})`, length)
    const stacks = hasStacks ? errors.map(({ stack }) => `\n${indent(stack, '    ')}`) : []
    return print({ level, time, msg: [whole, ...stacks].join('') })
  }
}

interface LoggedError {
  readonly message: string
  readonly stack: string
}

/** An error of a line, and what caused it. */
function errorsOf(error: unknown): LoggedError[] {
  if (typeof error === 'string') return [{ message: error, stack: error }]
  const { message, stack, cause, aggregateErrors } = asRecord(error)
  if (typeof message !== 'string') return []
  const inner = [cause, ...(Array.isArray(aggregateErrors) ? aggregateErrors : [])].flatMap(errorsOf)
  return [{ message, stack: typeof stack === 'string' ? stack : message }, ...inner]
}

/** Messages, without those that another one already tells. */
function tellingOf(errors: readonly LoggedError[]): string[] {
  const messages = errors.map(({ message }) => message)
  return messages.filter((text, i) => !messages.slice(0, i).some((earlier) => earlier.includes(text)))
}

function inWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
