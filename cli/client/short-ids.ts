/** Ids of tasks by a beginning that no other task shares, as git takes ids of commits. */
import { ApiFailure } from '../../core/rest/client/call.ts'
import type { ClientCommand } from '../client-command.ts'
import { UsageError } from '../command.ts'
import type { Session } from './session.ts'

/** So many of several tasks are named. */
const NAMED = 5

/**
 * The words of a command line with the whole ids of tasks, where the command takes beginnings of them. An id that is
 * there as it stands wins; a beginning of none stays, for the server to say so.
 *
 * @throws UsageError that names the tasks, where several begin so
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
    completed.push(declaration?.mayBeShort === true ? await completeId(word, api, signal) : word)
  }
  return completed
}

async function completeId(word: string, api: Session['api'], signal: AbortSignal): Promise<string> {
  try {
    return (await api.getTask({ params: { id: word } }, { signal })).id
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 404) throw error
  }
  const ids = (await api.listTasks({}, { signal })).map(({ id }) => id).filter((id) => id.startsWith(word))
  if (word === '' || ids.length === 0) return word
  const [only, ...others] = ids
  if (only !== undefined && others.length === 0) return only
  const more = ids.length > NAMED ? `, and ${ids.length - NAMED} more` : ''
  throw new UsageError(`several tasks begin with ${word}: ${ids.slice(0, NAMED).join(', ')}${more}`)
}
