/** Termination messages: what a container wrote for whoever asks why it ended. */
import { open } from 'node:fs/promises'
import type { Container } from '../kube/builtin.ts'
import type { NodeContext } from './context.ts'
import type { Exit } from './exit.ts'
import { terminationFile } from './container.ts'
import type { ContainerPaths } from './layout.ts'
import { hasCode } from './layout.ts'

/** Limits of Kubernetes: of a message, and of the end of the log that stands in for it. */
const MESSAGE_BYTES = 4096
const LOG_BYTES = 2048
const LOG_LINES = 80

/** Undefined when the container left none. */
export async function readMessage(
  context: NodeContext,
  container: Container,
  paths: ContainerPaths,
  exit: Exit,
): Promise<string | undefined> {
  const message = await readPart(terminationFile(context, container, paths), MESSAGE_BYTES, 'start')
  if (message !== '') return message
  const fromLog = container.terminationMessagePolicy === 'FallbackToLogsOnError' && exit.exitCode !== 0
  if (!fromLog) return undefined
  const log = await readPart(paths.log, LOG_BYTES, 'end')
  const lines = log
    .split('\n')
    .slice(-LOG_LINES - 1)
    .join('\n')
  return lines === '' ? undefined : lines
}

async function readPart(path: string, limit: number, from: 'start' | 'end'): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const position = from === 'start' ? 0 : Math.max(0, size - limit)
      const { bytesRead, buffer } = await file.read(Buffer.alloc(limit), 0, limit, position)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EISDIR', 'EACCES')) return ''
    throw error
  }
}
