import { type Logger, makeLogger } from '../../lib/log.ts'

/** The program's own logger, which keeps its lines here, for tests of what is and is not said. */
export function recordingLogger(): { readonly logger: Logger; readonly lines: readonly Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  return { logger: makeLogger('debug', { write: (line) => void lines.push(JSON.parse(line)) }), lines }
}
