import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import { createSemaphore } from '../../lib/async.ts'
import { type Mirror, createMirror } from './mirror.ts'
import { type Reach, toRemote } from './remote.ts'
import { judgeMirrors, listMirrors, markUsed, putAside, removeAside } from './sweep.ts'

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
  /**
   * Removes from the disk what nobody refers to for a week, never while git works in it. What was found out stays known.
   *
   * @param urls of all repositories that somebody refers to
   */
  sweep(urls: readonly string[]): Promise<void>
  /** Waits until no git works any more; `stop` must have aborted. */
  ended(): Promise<void>
}

/** Fetches at a time, of all mirrors: a remote that hangs holds up three others at most for two minutes. */
const MAX_FETCHES = 4

/** The mirrors of this server, each made when it is first asked. */
export function createMirrors({ folder, reach, ...options }: MirrorsOptions): Mirrors {
  const { clock } = options
  const mirrors = new Map<string, Mirror>()
  const namesInWork = (): Set<string> =>
    new Set([...mirrors].filter(([, mirror]) => mirror.isWorking()).map(([key]) => mirrorName(urlOf(key))))
  const leaving = new Map<string, Promise<void>>()
  const enter = createSemaphore(MAX_FETCHES)

  const make = ({ url, localPath }: Source): Mirror => {
    const name = mirrorName(url)
    const places = [url, ...(localPath === undefined || reach.user === undefined ? [] : [localPath])]
    return createMirror({
      ...options,
      gitDir: join(folder, name),
      untouched: async () => leaving.get(name),
      remotes: places.map((place) => () => toRemote(place, reach)),
      enter,
    })
  }
  return {
    of(source) {
      const key = keyOf(source)
      const mirror = mirrors.get(key) ?? make(source)
      mirrors.set(key, mirror)
      return mirror
    },
    async sweep(urls) {
      const now = clock.now()
      await removeAside(folder, now)
      const referred = new Set(urls.map(mirrorName))
      const { used, unused } = judgeMirrors({ stored: await listMirrors(folder), referred, now })
      for (const name of used) await markUsed(folder, name, now)
      for (const name of unused) {
        // Between this look and the promise that git waits for nothing else runs.
        if (namesInWork().has(name)) continue
        leaving.set(name, putAside(folder, name))
        await leaving.get(name)?.finally(() => leaving.delete(name))
      }
      await removeAside(folder, now)
    },
    ended: async () => void (await Promise.all([...mirrors.values()].map((mirror) => mirror.ended()))),
  }
}

/** The name of the folder that a repository is mirrored in. */
export function mirrorName(url: string): string {
  return `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.git`
}

function keyOf({ url, localPath = '' }: Source): string {
  return `${url}\0${localPath}`
}

function urlOf(key: string): string {
  return key.split('\0', 1)[0] ?? ''
}
