import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import { createSemaphore } from '../push/semaphore.ts'
import type { Mirror } from './mirror.ts'
import { createMirror } from './mirror.ts'
import type { Reach } from './remote.ts'
import { toRemote } from './remote.ts'

/** A repository, by its URL; and a checkout of it on this machine, for when the URL cannot be reached. */
export interface Source {
  readonly url: string
  readonly localPath?: string | undefined
}

export interface MirrorsOptions {
  /** Holds one bare repository for each URL. */
  readonly folder: string
  readonly reach: Reach
  readonly onAnswers: () => void
  readonly stop: AbortSignal
  readonly clock: Clock
  readonly logger: Logger
}

export interface Mirrors {
  of(source: Source): Mirror
  /** Waits until no git works any more; `stop` must have aborted. */
  ended(): Promise<void>
}

/** Fetches at a time, of all mirrors: a remote that hangs holds up three others at most for two minutes. */
const MAX_FETCHES = 4

/** The mirrors of this server, each made when it is first asked. */
export function createMirrors({ folder, reach, ...options }: MirrorsOptions): Mirrors {
  const mirrors = new Map<string, Mirror>()
  const enter = createSemaphore(MAX_FETCHES)

  const make = ({ url, localPath }: Source): Mirror => {
    const places = [url, ...(localPath === undefined || reach.user === undefined ? [] : [localPath])]
    return createMirror({
      ...options,
      gitDir: join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.git`),
      remotes: places.map((place) => () => toRemote(place, reach)),
      enter,
    })
  }
  return {
    of(source) {
      const key = `${source.url}\0${source.localPath ?? ''}`
      const mirror = mirrors.get(key) ?? make(source)
      mirrors.set(key, mirror)
      return mirror
    },
    ended: async () => void (await Promise.all([...mirrors.values()].map((mirror) => mirror.ended()))),
  }
}
