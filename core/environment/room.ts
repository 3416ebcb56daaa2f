/** Which prepared environments give up their room. Pure: the time is passed in. */
import type { PreparedEnvironment } from '../crd/types.ts'
import type { Room } from '../task/room.ts'
import { parseTimestamp } from '../time.ts'

/** One of a project. */
export interface StoredEnvironment {
  readonly entry: PreparedEnvironment
  /** On the data volume. */
  readonly folder: string
  readonly bytes: number
}

/**
 * Those that go: what nobody has used for long, and the least used ones while all take more than they may. Never one that
 * is being prepared or is in use.
 */
export function findSpentEnvironments<T extends StoredEnvironment>(
  stored: readonly T[],
  isInUse: (one: T) => boolean,
  { environmentBytes, environmentMs }: Pick<Room, 'environmentBytes' | 'environmentMs'>,
  now: Date,
): T[] {
  let bytes = stored.reduce((sum, one) => sum + one.bytes, 0)
  const spent: T[] = []
  for (const one of stored.toSorted((a, b) => usedAt(a.entry) - usedAt(b.entry))) {
    if (one.entry.state === 'Building' || isInUse(one)) continue
    const isOld = now.getTime() - usedAt(one.entry) > environmentMs
    // What takes no room, such as one that has failed, makes none by going.
    if (!isOld && (bytes <= environmentBytes || one.bytes === 0)) continue
    bytes -= one.bytes
    spent.push(one)
  }
  return spent
}

function usedAt({ usedAt: used, builtAt, startedAt }: PreparedEnvironment): number {
  const at = [used, builtAt, startedAt].flatMap((one) => one ?? []).sort()
  return at.length === 0 ? Infinity : parseTimestamp(at.at(-1) ?? '').getTime()
}
