/** How much room on the data volume clones and what they borrow from may take, and for how long (docs/operate/history.md). */
import { parseQuantity } from '../quantity.ts'

export interface Room {
  /** Of all mirrors of repositories together. */
  readonly mirrorBytes: number
  /** Of the clones and homes of all tasks together. */
  readonly workspaceBytes: number
  /** Of all prepared environments together. */
  readonly environmentBytes: number
  /** How long one stays that nobody uses. */
  readonly environmentMs: number
  /** How long those of a READY task stay. */
  readonly reviewMs: number
}

/** As configured; what is missing is the default. */
export interface RoomSettings {
  readonly mirrorBytes?: string
  readonly workspaceBytes?: string
  readonly reviewDays?: number
  readonly environmentBytes?: string
  readonly environmentDays?: number
}

const DAY_MS = 86_400_000
const GIBIBYTE = 2 ** 30

/** @param volumeBytes the size of the data volume; Infinity where it does not tell */
export function toRoom(
  { mirrorBytes, workspaceBytes, environmentBytes, reviewDays = 14, environmentDays = 14 }: RoomSettings,
  volumeBytes: number,
): Room {
  return {
    environmentBytes: parseQuantity(environmentBytes ?? '') ?? Math.min(20 * GIBIBYTE, volumeBytes / 10),
    environmentMs: environmentDays * DAY_MS,
    mirrorBytes: parseQuantity(mirrorBytes ?? '') ?? Math.min(20 * GIBIBYTE, volumeBytes / 5),
    workspaceBytes: parseQuantity(workspaceBytes ?? '') ?? Math.min(100 * GIBIBYTE, volumeBytes / 2),
    reviewMs: reviewDays * DAY_MS,
  }
}
