/** Termination messages: what a container wrote for whoever asks why it ended. */
import { basename, dirname } from 'node:path'
import { ifPlain, ifThere, readTailNoFollow } from '../lib/files.ts'
import type { Container } from '../kube/builtin.ts'
import type { NodeContext } from './context.ts'
import type { Exit } from './exit.ts'
import { terminationFile } from './container.ts'
import type { ContainerPaths } from './layout.ts'

/** Limits of Kubernetes: of a message, and of the end of the log that stands in for it. */
const MESSAGE_BYTES = 4096
const LOG_BYTES = 2048
const LOG_LINES = 80

/** The end of what it wrote, 4 KiB at most; undefined when it left none. */
export async function readTerminationMessage(
  context: NodeContext,
  container: Container,
  paths: ContainerPaths,
  exit: Exit,
): Promise<string | undefined> {
  const message = await readTail(terminationFile(context, container, paths), MESSAGE_BYTES)
  if (message !== '') return message
  const fromLog = container.terminationMessagePolicy === 'FallbackToLogsOnError' && exit.exitCode !== 0
  if (!fromLog) return undefined
  const log = await readTail(paths.log, LOG_BYTES)
  const lines = log
    .split('\n')
    .slice(-LOG_LINES - 1)
    .join('\n')
  return lines === '' ? undefined : lines
}

/** What wrote the file may have put something else in its place: links are not followed, only files are read. */
async function readTail(path: string, limit: number): Promise<string> {
  const reading = readTailNoFollow(dirname(path), basename(path), limit)
  return (await ifPlain(ifThere(reading, 'ENOENT', 'ENOTDIR', 'EACCES')))?.toString('utf8') ?? ''
}
