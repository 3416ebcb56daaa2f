import process from 'node:process'
import { destination } from 'pino'
import type { Config } from '../lib/config-schema.ts'
import { type Logger, makeLogger } from '../lib/log.ts'
import { styleOf } from './client/style.ts'

/** The log of a program that serves, on stderr: a readable line each for a person at a terminal, JSON for all others. */
export async function openLogger({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const { isTerminal, hasColor } = styleOf('auto', process.stderr)
  if (logFormat === 'json' || (logFormat === 'auto' && !isTerminal)) return makeLogger(logLevel)
  // A server that no person watches starts without loading the printer.
  const { linePrinter } = await import('./log-lines.ts')
  const print = linePrinter({ hasColor, hasStacks: logLevel === 'debug' })
  const to = destination({ fd: 2, sync: false })
  return makeLogger(logLevel, { write: (line) => void to.write(print(line)) })
}
