/** Finds the files that a push adds to Git LFS; most pushes add none, and load nothing that speaks to its server. */
import type { Undelivered } from '../../core/execution/result.ts'
import { gitText } from '../../lib/git.ts'
import { MAX_POINTER_BYTES, readPointers } from '../../lib/git-lfs.ts'
import type { StepContext } from '../context.ts'
import type { GitAccess } from './access.ts'
import { type Sent, toRange } from './check-objects.ts'
import type { NewPointer } from './lfs-send.ts'

/**
 * Sends the content of new files in Git LFS to the server of the repository's own URL, before their pointers are pushed.
 *
 * @returns the files whose content the server does not have afterwards
 * @throws StepFailed for a server that may work again soon, and for more than a push may send
 */
export async function uploadLfs(
  context: StepContext,
  access: GitAccess,
  sent: Sent,
  signal: AbortSignal,
): Promise<Undelivered[]> {
  const pointers = await findNewPointers(sent, signal)
  if (pointers.length === 0) return []
  const { sendContent } = await import('./lfs-send.ts')
  return sendContent(context, access, pointers, signal)
}

/** Pointers in the commits that are to be pushed, each content once. */
async function findNewPointers(sent: Sent, signal: AbortSignal): Promise<NewPointer[]> {
  const options = { gitDir: sent.gitDir, signal }
  const listed = await gitText(
    ['rev-list', '--objects', `--filter=blob:limit=${MAX_POINTER_BYTES}`, ...toRange(sent)],
    options,
  )
  const paths = new Map<string, string>()
  for (const line of listed.split('\n')) {
    const [object = '', path = ''] = line.split(/ (.*)/)
    if (path !== '') paths.set(object, path)
  }
  const found = await readPointers(options, [...paths.keys()])
  const named = [...found].map(([object, pointer]) => ({ ...pointer, path: paths.get(object) ?? '' }))
  return [...new Map(named.map((pointer) => [pointer.oid, pointer])).values()]
}
