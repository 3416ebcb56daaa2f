import { type Figure, findMissed, renderFigures } from './figure.ts'

/** Prints the table and, below it, what misses its aim; the process then ends with code 1. */
export function report(figures: readonly Figure[]): void {
  process.stdout.write(`${renderFigures(figures)}\n`)
  const missed = findMissed(figures)
  for (const line of missed) process.stderr.write(`missed: ${line}\n`)
  if (missed.length > 0) process.exitCode = 1
}
