/** Ids of tasks by a beginning that no other task shares, as git takes ids of commits. */
import { ApiFailure } from '../../core/rest/client/call.ts'
import { listOf } from '../../core/sentences/amounts.ts'
import type { ClientCommand } from '../client-command.ts'
import { UsageError } from '../command.ts'
import type { Session } from './session.ts'

/** So many of several tasks are named. */
const NAMED = 5

/**
 * The words of a command line with the whole ids of tasks, where the command takes beginnings of them. An id that is
 * there as it stands wins; a beginning of none stays, for the server to say so.
 *
 * @throws UsageError that names the tasks, where several begin so, or the command takes whole ids alone
 */
export async function completeIds(
  { words: declared }: Pick<ClientCommand, 'words'>,
  words: readonly string[],
  { api }: Pick<Session, 'api'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const last = declared.at(-1)
  const completed: string[] = []
  for (const [i, word] of words.entries()) {
    const declaration = declared[i] ?? last
    const { mayBeShort } = declaration ?? {}
    completed.push(mayBeShort === undefined ? word : await completeId(word, mayBeShort, api, signal))
  }
  return completed
}

async function completeId(
  word: string,
  mayBeShort: boolean,
  api: Session['api'],
  signal: AbortSignal,
): Promise<string> {
  try {
    return (await api.getTask({ params: { id: word } }, { signal })).id
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error
  }
  const ids = (await api.listTasks({}, { signal })).map(({ id }) => id).filter((id) => id.startsWith(word))
  if (word === '' || ids.length === 0) return word
  const [only, ...others] = ids
  if (mayBeShort && only !== undefined && others.length === 0) return only
  const named = listOf(ids, { most: NAMED })
  throw new UsageError(
    mayBeShort
      ? `several tasks begin with ${word}: ${named}`
      : `there is no task ${word}; the whole id is needed here, and these begin so: ${named}`,
  )
}
