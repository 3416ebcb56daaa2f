/**
 * Decisions on their way from a press to the server, at most one for a record at a time: pure but for the clock that it is given.
 *
 * A decision is checked at the press, so what it is about is what the person saw then. One that can be taken back is
 * held after that, and sent when its time is up, when the person will not wait, or when they leave, whichever comes
 * first. Each is sent exactly once or not at all: undone, replaced by a later decision about the same record, or refused
 * by its check. `leave` begins every request before it returns, so a page that is being closed still sends them.
 *
 * A page that goes while a check has no answer does not send that decision: it would not know about what. `read` says
 * that there is one, so the page can ask before it is closed.
 */

/** A decision that is under way. */
export interface Deciding {
  readonly id: number
  /** The records that it is about, as `tasks/fix-login`. */
  readonly keys: readonly string[]
  /** What is being done: `Accepting`. */
  readonly doing: string
  /** What it is done to: `“Fix login”`, `3 tasks`. */
  readonly what: string
  readonly phase: 'checking' | 'held' | 'sending'
  /** Whether it waits to be taken back, or was sent after it has. */
  readonly waits: boolean
  /** When it is sent, by the clock of the browser. */
  readonly untilMs: number
}

export interface Plan<T> extends Pick<Deciding, 'keys' | 'doing' | 'what'> {
  /** How long it can be taken back; 0: not at all. */
  readonly waitMs: number
  /** Gives those of the keys that may be decided about; rejects with the reason where none may. */
  readonly check: () => Promise<readonly string[]>
  /** Sends what is about these. @param isLeaving the page may be gone once this has returned */
  readonly send: (keys: readonly string[], isLeaving: boolean) => Promise<T>
}

/** The decision about this record was sent a moment ago, and its answer is not there yet. */
export class UnderWay extends Error {
  override readonly name = 'UnderWay'
  constructor({ doing, what }: Deciding) {
    super(`${doing} ${what} is under way. Wait for its answer, then decide.`)
  }
}

export interface HeldDecisions {
  /** Gives what `send` gives; undefined if it was taken back. @throws UnderWay @throws whatever `check` and `send` do */
  take<T>(plan: Plan<T>): Promise<T | undefined>
  /** Takes it back; false where it was sent, or there is none. @param deciding left out: the one pressed last */
  undo(deciding?: Deciding): boolean
  /** Sends it before its time. */
  sendNow(deciding: Deciding): void
  /** Sends all that is held, at once. Resolves when all that is under way has its answer: whether nothing was refused. */
  leave(): Promise<boolean>
  /** All that is under way, in the order of the presses; the same list until that changes. */
  readonly read: () => readonly Deciding[]
  readonly subscribe: (listener: () => void) => () => void
}

export interface HeldDecisionsOptions {
  readonly nowMs: () => number
  /** Gives what stops it. */
  readonly startTimer: (act: () => void, inMs: number) => () => void
}

interface Entry {
  deciding: Deciding
  stopTimer: () => void
  readonly send: (isLeaving: boolean) => void
  readonly drop: () => void
}

export function createHeldDecisions({ nowMs, startTimer }: HeldDecisionsOptions): HeldDecisions {
  const { all, read, subscribe, nextChange, add, change, end } = createEntries()
  const count = { refusals: 0, presses: 0 }
  const begin = (entry: Entry, isLeaving = false): void => {
    if (entry.deciding.phase !== 'held') return
    entry.stopTimer()
    change(entry, { phase: 'sending' })
    entry.send(isLeaving)
  }
  const undo = (entry: Entry | undefined): boolean => {
    if (entry === undefined || entry.deciding.phase === 'sending') return false
    end(entry)
    entry.drop()
    return true
  }
  /** What is held about these records gives way to a later decision. @throws UnderWay */
  const giveWay = (keys: readonly string[]): void => {
    const others = sharing(all, keys)
    for (const entry of others) {
      const rest = entry.deciding.keys.filter((key) => !keys.includes(key))
      if (rest.length === 0) undo(entry)
      else change(entry, { keys: rest })
    }
  }
  const hold = (entry: Entry, checked: readonly string[]): void => {
    if (!all.has(entry)) return
    const keys = entry.deciding.keys.filter((key) => checked.includes(key))
    change(entry, { keys, phase: 'held' })
    const leftMs = entry.deciding.untilMs - nowMs()
    if (keys.length === 0 || leftMs <= 0) begin(entry)
    else entry.stopTimer = startTimer(() => begin(entry), leftMs)
  }
  const start = <T>(
    plan: Plan<T>,
    resolve: (answer: T | undefined) => void,
    reject: (error: unknown) => void,
  ): void => {
    const { keys, doing, what, waitMs } = plan
    const refuse = (error: unknown): void => {
      count.refusals += 1
      end(entry)
      reject(error)
    }
    const finish = (answer: T): void => {
      end(entry)
      resolve(answer)
    }
    const untilMs = nowMs() + waitMs
    const entry: Entry = {
      deciding: { id: (count.presses += 1), keys, doing, what, phase: 'checking', waits: waitMs > 0, untilMs },
      stopTimer: () => undefined,
      send: (isLeaving) => void plan.send(entry.deciding.keys, isLeaving).then(finish, refuse),
      drop: () => resolve(undefined),
    }
    add(entry)
    void plan.check().then(
      (checked) => hold(entry, checked),
      (error: unknown) => all.has(entry) && refuse(error),
    )
  }
  return {
    async take<T>(plan: Plan<T>) {
      giveWay(plan.keys)
      return new Promise<T | undefined>((resolve, reject) => start(plan, resolve, reject))
    },
    undo: (deciding) =>
      undo([...all].findLast((entry) => (deciding === undefined ? canUndo : isOf(deciding))(entry.deciding))),
    sendNow: (deciding) => [...all].filter((entry) => isOf(deciding)(entry.deciding)).forEach((entry) => begin(entry)),
    async leave() {
      const before = count.refusals
      for (const entry of all) {
        if (entry.deciding.phase === 'checking') change(entry, { untilMs: nowMs() })
        begin(entry, true)
      }
      while (all.size > 0) await nextChange()
      return count.refusals === before
    },
    read,
    subscribe,
  }
}

/** What is under way about any of these records. @throws UnderWay where that was sent */
function sharing(all: ReadonlySet<Entry>, keys: readonly string[]): readonly Entry[] {
  const others = [...all].filter(({ deciding }) => deciding.keys.some((key) => keys.includes(key)))
  const sent = others.find(({ deciding }) => deciding.phase === 'sending')
  if (sent !== undefined) throw new UnderWay(sent.deciding)
  return others
}

const isOf =
  ({ id }: Deciding) =>
  (other: Deciding): boolean =>
    other.id === id

/** Whether the person can still take it back. */
export function canUndo({ waits, phase }: Deciding): boolean {
  return waits && phase !== 'sending'
}

/** What is under way, and who wants to know of its changes. */
function createEntries() {
  const all = new Set<Entry>()
  const listeners = new Set<() => void>()
  let shown: readonly Deciding[] = []
  const tell = (): void => {
    shown = [...all].map(({ deciding }) => deciding)
    listeners.forEach((listener) => listener())
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    all,
    read: () => shown,
    subscribe,
    nextChange: () =>
      new Promise<void>((resolve) => {
        const stop = subscribe(() => {
          stop()
          resolve()
        })
      }),
    add(entry: Entry) {
      all.add(entry)
      tell()
    },
    change(entry: Entry, to: Partial<Deciding>) {
      entry.deciding = { ...entry.deciding, ...to }
      tell()
    },
    end(entry: Entry) {
      entry.stopTimer()
      all.delete(entry)
      tell()
    },
  }
}
