import type { Execution } from '../../core/rest/client/client.ts'
import { ifFound } from './if-found.ts'
import type { Session } from './session.ts'

interface Reader {
  readonly session: Session
  readonly signal: AbortSignal
}

/**
 * The executions that a person reads as one run, oldest first: the given one, and before it those whose questions it goes
 * on from. It begins behind those of `shown`, and behind one that was deleted; empty if the given one is not there.
 */
export async function findParts(reader: Reader, id: string, shown: ReadonlySet<string>): Promise<Execution[]> {
  const parts: Execution[] = []
  const seen = new Set(shown)
  for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
    seen.add(next)
    const part = await findExecution(reader, next)
    // An answer stays for those that come after the one it was given to.
    if (part === undefined || (next !== id && part.state !== 'BLOCKED')) break
    parts.unshift(part)
    next = part.answer === undefined ? undefined : part.resumes
  }
  return parts
}

/** Undefined where it is not there, or no more. */
export function findExecution({ session, signal }: Reader, id: string): Promise<Execution | undefined> {
  return ifFound(session.api.getExecution({ params: { id } }, { signal }))
}
