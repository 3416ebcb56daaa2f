/**
 * Pipes for what a program that is not ours prints.
 *
 * Node gives a child sockets, and a socket cannot be opened by its name: `echo x >/dev/stderr` and `tee /dev/stderr` fail
 * with ENXIO. A pipe can. Node makes none, but a FIFO whose name is removed is one, and it holds back the writer as well.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { hasErrorCode } from './files.ts'
import { removeTree } from './remove-tree.ts'

/** A program that runs, and what it prints. */
export interface Piped {
  readonly child: ChildProcess
  readonly stdout: Readable
  readonly stderr: Readable
}

type Input = number | 'pipe'

const makeFifos = promisify(execFile)

/**
 * Starts a program with a pipe for stdout and one for stderr. A system without mkfifo(1) gives the child sockets.
 *
 * @param folder where the FIFOs have their names for a moment
 * @param start is given what stdout and stderr are to be
 * @throws what `start` throws
 */
export async function startPiped(
  folder: string,
  start: (stdout: Input, stderr: Input) => ChildProcess,
): Promise<Piped> {
  const fifos = await openFifos(folder)
  if (fifos === undefined) {
    const child = start('pipe', 'pipe')
    return { child, stdout: child.stdout ?? Readable.from([]), stderr: child.stderr ?? Readable.from([]) }
  }
  const [stdout, stderr] = fifos
  try {
    return { child: start(stdout.input, stderr.input), stdout: stdout.output, stderr: stderr.output }
  } catch (error) {
    for (const { output } of fifos) output.destroy()
    throw error
  } finally {
    for (const { input } of fifos) closeSync(input)
  }
}

/** A program that runs, and all that it prints, in the order in which it prints it. */
export interface PipedTogether {
  readonly child: ChildProcess
  readonly output: AsyncIterable<Buffer>
}

/** The same with one pipe for both. Without mkfifo(1) the order of the two is not kept. */
export async function startPipedTogether(
  folder: string,
  start: (stdout: Input, stderr: Input) => ChildProcess,
): Promise<PipedTogether> {
  const fifos = await openFifos(folder)
  if (fifos === undefined) {
    const child = start('pipe', 'pipe')
    const both = new PassThrough()
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
    let open = streams.length
    for (const stream of streams) stream.on('end', () => (open -= 1) === 0 && both.end()).pipe(both, { end: false })
    return { child, output: both }
  }
  const [{ input, output }, unused] = fifos
  unused.output.destroy()
  try {
    return { child: start(input, input), output }
  } catch (error) {
    output.destroy()
    throw error
  } finally {
    for (const fifo of fifos) closeSync(fifo.input)
  }
}

interface Fifo {
  readonly input: number
  readonly output: Readable
}

async function openFifos(folder: string): Promise<readonly [Fifo, Fifo] | undefined> {
  const own = await mkdtemp(join(folder, 'output-'))
  try {
    const [stdout, stderr] = [join(own, 'stdout'), join(own, 'stderr')]
    await makeFifos('mkfifo', ['-m', '600', stdout, stderr])
    return [openFifo(stdout), openFifo(stderr)]
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  } finally {
    await removeTree(own)
  }
}

/** The reader comes first and does not wait for a writer; then the writer need not wait either. */
function openFifo(path: string): Fifo {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { input: openSync(path, constants.O_WRONLY), output: new Socket({ fd, readable: true, writable: false }) }
}
