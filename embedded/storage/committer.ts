import type { Engine, EngineWrite } from './backend.ts'

/** Commits one group at a time; what is asked for meanwhile makes the next group, and shares its sync. */
export interface Committer {
  /** Resolves when durable. @throws StoreUnwritable */
  commit(revision: number, writes: readonly EngineWrite[]): Promise<void>
  /** Resolves when all that was asked for by now is durable. @throws StoreUnwritable when it will not be */
  flushed(): Promise<void>
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>
}

export interface CommitterEvents {
  /** All up to this revision is durable; told before those who asked are answered. */
  done(revision: number): void
  /** Neither the group nor what was asked for behind it came about; told before those who asked are answered. */
  failed(): void
}

interface Asked {
  readonly revision: number
  readonly writes: readonly EngineWrite[]
  resolve(): void
  reject(error: unknown): void
}

/** When a group fails, all that waits behind it fails as well: it was decided on a state that did not come about. */
export function makeCommitter(engine: Engine, events: CommitterEvents): Committer {
  let waiting: Asked[] = []
  let last: Promise<void> = Promise.resolve()
  let working: Promise<void> | undefined

  const work = async (): Promise<void> => {
    // Who was answered by the last group asks again in this turn, and with the others.
    await Promise.resolve()
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      const revision = group.at(-1)?.revision ?? 0
      try {
        await engine.commit(
          revision,
          group.flatMap(({ writes }) => writes),
        )
        events.done(revision)
      } catch (error) {
        const lost = [...group, ...waiting]
        waiting = []
        events.failed()
        for (const { reject } of lost) reject(error)
        continue
      }
      for (const { resolve } of group) resolve()
    }
    working = undefined
  }

  return {
    commit(revision, writes) {
      last = new Promise((resolve, reject) => waiting.push({ revision, writes, resolve, reject }))
      working ??= work()
      return last
    },
    flushed: () => (working === undefined ? Promise.resolve() : last),
    idle: async () => working,
  }
}
