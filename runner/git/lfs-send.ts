/**
 * Sends the content of files in Git LFS to the server of the repository's own URL.
 *
 * The content lies in the clone, where git-lfs in the agent's container has put it. It is read as files, without following
 * links, and is sent only if it has the size and the SHA-256 of its pointer. `.lfsconfig` and the settings of the clone are not
 * read. What is missing does not hold up the push, and is listed.
 */
import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import type { Undelivered } from '../../core/execution/result.ts'
import { countOf, formatSize } from '../../core/sentences/amounts.ts'
import { ifPlain, openRegularNoFollow } from '../../lib/files.ts'
import { type LfsPointer, objectPath } from '../../lib/git-lfs.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import type { GitAccess } from './access.ts'
import { TOO_LARGE, limitOf } from './check-objects.ts'
import { openLfsServer } from './lfs.ts'
import { type LfsAnswer, type LfsServer, askBatch, LfsFailed, upload } from './lfs-server.ts'

/** The pointer of a file that a push adds. */
export interface NewPointer extends LfsPointer {
  readonly path: string
}

/**
 * @returns the files whose content the server does not have afterwards
 * @throws StepFailed for a server that may work again soon, and for more than a push may send
 */
export async function sendContent(
  context: StepContext,
  access: GitAccess,
  pointers: readonly NewPointer[],
  signal: AbortSignal,
): Promise<Undelivered[]> {
  try {
    const server = await openLfsServer(context, access, signal)
    const answers = await askBatch(server, 'upload', pointers)
    requireSmall(context, answers)
    const lost = new Map<string, string>()
    for (const answer of answers) {
      const reason = await sendObject(server, context.paths.clone, answer)
      if (reason !== undefined) lost.set(answer.oid, reason)
    }
    const done = answers.filter(({ oid, actions }) => actions.upload !== undefined && !lost.has(oid))
    if (done.length > 0) context.say(`sent the content of ${countOf(done.length, 'file')} to Git LFS`)
    for (const { oid } of pointers)
      if (!answers.some((answer) => answer.oid === oid)) lost.set(oid, 'the server says nothing of it')
    return pointers.flatMap(({ path, oid }) => toUndelivered(path, lost.get(oid)))
  } catch (error) {
    if (!(error instanceof LfsFailed)) throw error
    const reason = access.redact(error.message)
    if (error.mayPass) throw new StepFailed('git', `Git LFS: ${reason}; ${NOT_PUSHED}`, true)
    return pointers.flatMap(({ path }) => toUndelivered(path, reason))
  }
}

const NOT_PUSHED =
  'nothing was pushed and the clone is kept: resume the task, which only pushes the work that it has kept'

function toUndelivered(path: string, reason: string | undefined): Undelivered[] {
  return reason === undefined ? [] : [{ path, reason: `the branch has only its Git LFS pointer: ${reason}` }]
}

function requireSmall(context: StepContext, answers: readonly LfsAnswer[]): void {
  const wanted = answers.filter(({ actions }) => actions.upload !== undefined)
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  const limit = limitOf(context)
  if (bytes <= limit) return
  throw new StepFailed(
    'git',
    `this work has ${formatSize(bytes)} of new content in Git LFS, more than ${formatSize(limit)}; ${TOO_LARGE}`,
  )
}

/** Sends one object if the server wants it; why not, if not. */
async function sendObject(server: LfsServer, clone: string, answer: LfsAnswer): Promise<string | undefined> {
  const { upload: action } = answer.actions
  if (action === undefined) return answer.error
  // From its parent on: the clone itself lies in a folder that the agent can write, and may be a link by now.
  const file = await ifPlain(openRegularNoFollow(dirname(clone), `${basename(clone)}/.git/${objectPath(answer)}`))
  if (file === undefined) return 'its content is not in the clone'
  const content = () => file.createReadStream({ start: 0, autoClose: false })
  try {
    const hash = createHash('sha256')
    const { size } = await file.stat()
    if (size === answer.size) for await (const chunk of content()) hash.update(chunk)
    if (size !== answer.size || hash.digest('hex') !== answer.oid)
      return 'its content in the clone is not what the pointer names'
    await upload(server, answer, action, content())
    return undefined
  } catch (error) {
    if (error instanceof LfsFailed && !error.mayPass) return error.message
    throw error
  } finally {
    await file.close()
  }
}
