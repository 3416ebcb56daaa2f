import type { Logger } from 'pino'
import { destination, pino } from 'pino'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Keys whose values never reach a log line, wherever a record holds them (one level down as well). */
const SECRET_KEYS = ['token', 'password', 'authorization', 'Authorization', 'cookie', 'webhookSecret', 'secret']

/**
 * JSON lines on stderr, so that stdout stays free for what a command prints. Messages are constant, data are
 * fields; errors go under `error` and keep message, stack and cause.
 */
export function makeLogger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.errWithCause },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
    },
    destination({ fd: 2, sync: false }),
  )
}
