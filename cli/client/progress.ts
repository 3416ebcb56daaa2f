/** A line on a terminal that says how far something is that takes long; it goes away when that is over. */
import { formatSize, formatSpan } from '../../core/sentences/amounts.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Terminal } from '../command.ts'
import type { OutputForm } from './output.ts'
import { ERASE_LINE, inPlace } from './redraw.ts'

/** Work that ends sooner shows no line. */
const FIRST_MS = 500
const REDRAW_MS = 250

export interface ProgressOptions {
  readonly terminal: Terminal
  /** There is no line for scripts, which ask for another form than a table. */
  readonly form: OutputForm
  readonly clock: Clock
}

export interface Progress {
  /** Prints above the line. */
  readonly terminal: Terminal
  /** Whether a person can read the whole text in the line; false where there is none. */
  fits(text: string): boolean
  end(): void
}

/**
 * Shows a line on stderr while `work` goes on, if stderr is a terminal.
 *
 * @param textAt the line after that time, such as `1m05s`; asked again and again
 */
export async function withProgress<T>(
  options: ProgressOptions,
  textAt: (elapsed: string) => string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = startProgress(options, textAt)
  try {
    return await work(progress)
  } finally {
    progress.end()
  }
}

function startProgress({ terminal, form, clock }: ProgressOptions, textAt: (elapsed: string) => string): Progress {
  const { errScreen: screen } = terminal
  if (screen === undefined || form !== 'table') return { terminal, fits: () => false, end() {} }
  const startedAt = clock.now().getTime()
  const now = (): string => textAt(formatSpan(clock.now().getTime() - startedAt))
  let shown: string | undefined
  let isLineFree = true
  const draw = (): void => {
    const text = inPlace(now(), screen.size().width)
    if (text !== shown && isLineFree) terminal.err(text)
    shown = text
    cancel = clock.schedule(REDRAW_MS, draw)
  }
  const hide = (): void => {
    if (shown !== undefined && isLineFree) terminal.err(ERASE_LINE)
    shown = undefined
  }
  const above = (write: (text: string) => void) => (text: string) => {
    hide()
    write(text)
    isLineFree = text.endsWith('\n')
  }
  let cancel = clock.schedule(FIRST_MS, draw)
  return {
    terminal: { ...terminal, out: above(terminal.out), err: above(terminal.err) },
    fits: (text) => text.length < screen.size().width,
    end() {
      cancel()
      hide()
    },
  }
}

/** `page.html: 12.3 MiB of 512 MiB (2%), 3s`. @param total undefined: nobody has said it */
export function transferText(name: string, done: number, total: number | undefined, elapsed: string): string {
  const share = total === undefined || total === 0 ? undefined : Math.floor((100 * done) / total)
  const of = total === undefined || share === undefined ? '' : ` of ${formatSize(total)} (${Math.min(100, share)}%)`
  return `${name}: ${formatSize(done)}${of}, ${elapsed}`
}

/** A stream whose bytes are counted as they are read. */
export interface Counted {
  readonly stream: ReadableStream<Uint8Array>
  count(): number
}

export function counted(stream: ReadableStream<Uint8Array>): Counted {
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      controller.enqueue(chunk)
    },
  })
  return { stream: stream.pipeThrough(counter), count: () => bytes }
}
