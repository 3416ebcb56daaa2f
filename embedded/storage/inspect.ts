import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { StoreDamaged, StoreError } from './backend.ts'
import { type ScanMode, type ScanResult, type StoreReport, NOTHING_READ } from './scan.ts'

/** Beside this module as it is compiled, and beside the program's bundle, which is built under the same name. */
const PROGRAM = fileURLToPath(new URL('store-check.js', import.meta.url))

/** Far more than a scan takes; pages that lead in a circle would keep it for ever. */
const PATIENCE_MS = { least: 30_000, perMebibyte: 200 }

/**
 * Scans a store in a process of its own. That it dies of the file is a problem of the file.
 *
 * @throws StoreError when it could not be scanned for another reason
 */
export async function inspectFile(file: string, mode: ScanMode): Promise<StoreReport> {
  const child = spawn(process.execPath, [PROGRAM, file, mode], { stdio: ['ignore', 'pipe', 'ignore'] })
  const { least, perMebibyte } = PATIENCE_MS
  const patience = setTimeout(() => child.kill('SIGKILL'), least + (statSync(file).size / 2 ** 20) * perMebibyte)
  try {
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    const result = parseResult(output)
    if (result === undefined) return { ...NOTHING_READ, problems: [howItEnded(child.signalCode, child.exitCode)] }
    if ('failure' in result) throw new StoreError(`the store ${file} cannot be checked: ${result.failure}`)
    return result
  } finally {
    clearTimeout(patience)
  }
}

/** @throws StoreDamaged when the report names a problem */
export function requireWhole(file: string, { problems }: StoreReport): void {
  const [first, ...others] = problems
  if (first === undefined) return
  throw new StoreDamaged(file, others.length === 0 ? first : `${first} (and ${others.length} more: slipway check)`)
}

function howItEnded(signal: NodeJS.Signals | null, code: number | null): string {
  if (signal === 'SIGKILL') return 'reading it came to no end'
  return `reading it ended the process that did (${signal ?? `exit code ${code}`})`
}

function parseResult(output: string): ScanResult | undefined {
  try {
    const result: ScanResult = JSON.parse(output)
    return result
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
