/** What red checks have printed, as an agent is told of it. Code that an agent wrote can have written these files. */
import type { FileHandle } from 'node:fs/promises'
import { CHECK_FILES, checkResultPath, executionPath } from '../core/execution/layout.ts'
import type { CheckOutput } from '../core/prompts/checks-data.ts'
import { ifPlain, openRegularNoFollow, safeJoin } from '../lib/files.ts'

/** By name of the check. */
export type CheckOutputs = ReadonlyMap<string, CheckOutput>

const TAIL_BYTES = 8 * 1024
const CHUNK_BYTES = 256 * 1024
/** The runner keeps no more. */
const COUNTED_BYTES = 16 * 1024 * 1024

/** The last lines of what each of these checks has printed in a round, and how many lines are before them. */
export async function readCheckOutputs(
  root: string,
  execution: string,
  { round, names }: { readonly round: number; readonly names: readonly string[] },
): Promise<CheckOutputs> {
  const outputs = new Map<string, CheckOutput>()
  for (const name of names) {
    const path = `${checkResultPath(round, name)}/${CHECK_FILES.output}`
    const file = await ifPlain(openRegularNoFollow(safeJoin(root, executionPath(execution)), path))
    if (file !== undefined) outputs.set(name, await readAndClose(file))
  }
  return outputs
}

async function readAndClose(file: FileHandle): Promise<CheckOutput> {
  try {
    return await readOutput(file)
  } finally {
    await file.close()
  }
}

async function readOutput(file: FileHandle): Promise<CheckOutput> {
  const { size } = await file.stat()
  const from = Math.max(0, size - TAIL_BYTES)
  const end = await readChunk(file, from, TAIL_BYTES)
  // A line that is cut says less than none.
  const cut = from === 0 ? -1 : end.indexOf(NEWLINE)
  const tail = end.subarray(cut + 1).toString('utf8')
  if (from > COUNTED_BYTES) return { tail }
  let linesBefore = cut < 0 ? 0 : 1
  for (let at = 0; at < from; at += CHUNK_BYTES)
    linesBefore += countLines(await readChunk(file, at, Math.min(CHUNK_BYTES, from - at)))
  return { tail, linesBefore: from === 0 ? 0 : Math.max(1, linesBefore) }
}

const NEWLINE = 0x0a

function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (const byte of bytes) if (byte === NEWLINE) lines++
  return lines
}

async function readChunk(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
