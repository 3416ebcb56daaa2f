import { pino } from 'pino'
import type { Logger } from '../../lib/log.ts'

/** A logger that keeps its lines, for tests of what is and is not said. */
export function recordingLogger(): { readonly logger: Logger; readonly lines: readonly Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { logger, lines }
}
