/**
 * Pipes for what a program that is not ours prints.
 *
 * Node gives a child sockets, and a socket cannot be opened by its name: `echo x >/dev/stderr` and `tee /dev/stderr` fail
 * with ENXIO. A pipe can. Node makes none, but a FIFO whose name is removed is one, and it holds back the writer as well.
 */
import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { hasErrorCode } from './files.ts'
import { removeTree } from './remove-tree.ts'

/** The ends of stdout and stderr. */
export interface OutputPipes {
  /** For `stdio` of the child. */
  readonly inputs: readonly [stdout: number | 'pipe', stderr: number | 'pipe']
  /** Closes our copies of the child's ends. To be called as soon as it is started, also when that failed. */
  readonly attach: (child: ChildProcess) => { readonly stdout: Readable; readonly stderr: Readable }
}

const makeFifos = promisify(execFile)

/**
 * Opens a pipe for stdout and one for stderr. A system without mkfifo(1) gives the child sockets.
 *
 * @param folder where the FIFOs have their names for a moment
 */
export async function openOutputPipes(folder: string): Promise<OutputPipes> {
  const own = await mkdtemp(join(folder, 'output-'))
  try {
    const [stdout, stderr] = [join(own, 'stdout'), join(own, 'stderr')]
    await makeFifos('mkfifo', ['-m', '600', stdout, stderr])
    return toPipes(openFifo(stdout), openFifo(stderr))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return SOCKETS
    throw error
  } finally {
    await removeTree(own)
  }
}

interface Fifo {
  readonly input: number
  readonly output: Readable
}

/** The reader comes first and does not wait for a writer; then the writer need not wait either. */
function openFifo(path: string): Fifo {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { input: openSync(path, constants.O_WRONLY), output: new Socket({ fd, readable: true, writable: false }) }
}

function toPipes(stdout: Fifo, stderr: Fifo): OutputPipes {
  return {
    inputs: [stdout.input, stderr.input],
    attach() {
      for (const { input } of [stdout, stderr]) closeSync(input)
      return { stdout: stdout.output, stderr: stderr.output }
    },
  }
}

const SOCKETS: OutputPipes = {
  inputs: ['pipe', 'pipe'],
  attach: ({ stdout, stderr }) => ({ stdout: stdout ?? Readable.from([]), stderr: stderr ?? Readable.from([]) }),
}
