import { type DestinationStream, type Logger, destination, pino } from 'pino'
import { redactUrls } from '../core/redact-urls.ts'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const LOG_FORMATS = ['auto', 'pretty', 'json'] as const

/** Keys whose values never reach a log line, wherever a record holds them (one level down as well). */
const SECRET_KEYS = ['token', 'password', 'authorization', 'Authorization', 'cookie', 'webhookSecret', 'secret']

/** Deeper than any field of ours; what lies below is left out. */
const MAX_DEPTH = 8

/**
 * JSON lines, on stderr unless told otherwise, so that stdout stays free for what a command prints. Messages are
 * constant, data are fields; errors go under `error` and keep message, stack and cause. What URLs carry of secrets is
 * taken out of all of it, whoever wrote the URL and whatever complains about it.
 */
export function makeLogger(level: LogLevel, to: DestinationStream = destination({ fd: 2, sync: false })): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: (error: Error) => redactAll(pino.stdSerializers.errWithCause(error)) },
      formatters: { log: redactFields },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    },
    to,
  )
}

function redactFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, redactAll(value)]))
}

/** Strings without the secrets of URLs, at any depth. Errors stay errors, for their serializer. */
function redactAll(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactUrls(value)
  if (value instanceof Error || typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return undefined
  if (Array.isArray(value)) return value.map((item) => redactAll(item, depth + 1))
  if ('toJSON' in value && typeof value.toJSON === 'function') return redactAll(value.toJSON(), depth + 1)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactAll(member, depth + 1)]))
}
