/**
 * How much time has passed since an instant, when somebody may have set the wall clock meanwhile, also while no process
 * of ours ran.
 *
 * The kernel's clock since boot (`Clock.uptimeMs`) is never set, rests while the machine sleeps as timers do, and is the
 * same for all processes of one boot. A file remembers by how much the wall clock was ahead of it, one offset for each
 * time that it was set: an instant was taken under one of them. Where more than one is possible, the least time counts,
 * so that a deadline comes late and never early. After another boot nothing is known: the wall clock alone counts.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Type } from 'typebox'
import { readBootId } from './boot.ts'
import { type Clock, uptimeOf } from './clock.ts'
import { hasErrorCode } from './files.ts'
import type { Logger } from './log.ts'
import { compileCheck } from './validate.ts'

export interface Elapsed {
  /** Milliseconds since the wall clock showed `at`; never negative. To be asked at least whenever instants are taken. */
  since(at: Date): number
}

export interface ElapsedOptions {
  /** Where offsets are remembered; its folder is there. */
  readonly file: string
  readonly clock: Clock
  readonly logger: Logger
  /** Default: that of the machine. */
  readonly bootId?: string | undefined
}

const Memory = Type.Object({ bootId: Type.String(), offsetsMs: Type.Array(Type.Number()) })
const checkMemory = compileCheck(Memory)

/** A clock that was moved by less was not set: it is slewed, or an instant was rounded. */
const JUMP_MS = 5_000
/** Offsets kept; a machine that sleeps makes a new one each time. */
const MAX_OFFSETS = 32

/** Goes on with the offsets in the file, when they are of this boot. */
export function openElapsed({ file, clock, logger, bootId = readBootId() }: ElapsedOptions): Elapsed {
  let offsetsMs = bootId === undefined ? [] : readOffsets(file, bootId, logger)

  const note = (offsetMs: number): void => {
    if (offsetsMs.some((known) => Math.abs(known - offsetMs) < JUMP_MS)) return
    offsetsMs = [...offsetsMs, offsetMs].slice(-MAX_OFFSETS)
    if (bootId === undefined) return
    try {
      writeFileSync(`${file}.new`, JSON.stringify({ bootId, offsetsMs }), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    } catch (error) {
      logger.warn({ error }, 'a restart will not know that the clock was set')
    }
  }
  return {
    since(at) {
      const nowMs = uptimeOf(clock)
      note(clock.now().getTime() - nowMs)
      // An offset that is known roughly puts what was just taken into the future.
      const passedMs = offsetsMs.map((offsetMs) => nowMs - (at.getTime() - offsetMs)).filter((ms) => ms > -JUMP_MS)
      return passedMs.length === 0 ? 0 : Math.max(0, Math.min(...passedMs))
    },
  }
}

/** What cannot be read counts as nothing: time is then measured as if the clock had not been set. */
function readOffsets(file: string, bootId: string, logger: Logger): readonly number[] {
  try {
    const checked = checkMemory(JSON.parse(readFileSync(file, 'utf8')))
    return checked.ok && checked.value.bootId === bootId ? checked.value.offsetsMs : []
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) logger.warn({ error, file }, 'it is not known whether the clock was set')
    return []
  }
}
