/**
 * Decisions on their way from a press to the server, at most one for a record at a time: pure but for the clock that it is given.
 *
 * A decision is checked at the press, so what it is about is what the person saw then. One that can be taken back is
 * held after that, and sent when its time is up, when the person will not wait, or when they leave, whichever comes
 * first. Each is sent exactly once or not at all: undone, replaced by a later decision about the same record, refused by
 * its check, or found long after its time, as when the computer slept. `leave` begins every request before it returns, so
 * a page that is being closed still sends them.
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

/** One decision about one record, before it is sent. */
export interface Step {
  readonly key: string
  /** Rejects with the reason where it may not be decided about. */
  readonly check: () => Promise<void>
  /** Begins the request before it returns. Rejects with the server's refusal, or with why it was not asked. */
  readonly send: () => Promise<string>
}

/** The decision about this record was sent a moment ago, and its answer is not there yet. */
export class UnderWay extends Error {
  override readonly name = 'UnderWay'
  constructor({ doing, what }: Deciding) {
    super(`${doing} ${what} is under way. Wait for its answer, then decide.`)
  }
}

/** How late a decision may be sent: after that, nobody thinks of it any more. */
const LATEST_MS = 30_000

/** The decision was found long after its time: the page stood still, or its check took long. */
export class TooLate extends Error {
  override readonly name = 'TooLate'
  constructor({ doing, what }: Deciding) {
    super(`${doing} ${what} was not sent in time: this page was asleep, or the server slow. Nothing was done.`)
  }
}

export interface HeldDecisions {
  /**
   * Gives what `send` gives; undefined if it was taken back.
   *
   * @throws UnderWay @throws TooLate @throws whatever `check` and `send` do
   */
  take<T>(plan: Plan<T>): Promise<T | undefined>
  /** Takes it back; false where it was sent, or there is none. @param deciding left out: the one pressed last */
  undo(deciding?: Deciding): boolean
  /** Sends it before its time, or as soon as it is checked. */
  sendNow(deciding: Deciding): void
  /**
   * Sends all that is held, at once. Resolves when all that is under way has its answer: whether nothing was refused.
   *
   * @param withinMs it resolves by then, whatever has no answer; left out: it waits for all
   */
  leave(withinMs?: number): Promise<boolean>
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
  readonly refuse: (error: unknown) => void
}

export function createHeldDecisions({ nowMs, startTimer }: HeldDecisionsOptions): HeldDecisions {
  const { all, read, subscribe, whenOver, add, change, end } = createEntries()
  const count = { refusals: 0, presses: 0 }
  const leftMs = ({ deciding }: Entry): number => deciding.untilMs - nowMs()
  const begin = (entry: Entry, isLeaving = false): void => {
    if (entry.deciding.phase !== 'held') return
    entry.stopTimer()
    if (entry.deciding.waits && leftMs(entry) < -LATEST_MS) {
      entry.refuse(new TooLate(entry.deciding))
      return
    }
    change(entry, { phase: 'sending' })
    entry.send(isLeaving)
  }
  /** Sends it now, or as soon as it is checked. */
  const hurry = (entry: Entry, isLeaving: boolean): void => {
    if (entry.deciding.phase === 'checking') change(entry, { untilMs: nowMs() })
    begin(entry, isLeaving)
  }
  const undo = (entry: Entry | undefined): boolean => {
    if (entry === undefined || entry.deciding.phase === 'sending') return false
    end(entry)
    entry.drop()
    return true
  }
  /** What is held about these records gives way to a later decision. @throws UnderWay */
  const giveWay = (keys: readonly string[]): void => {
    for (const entry of sharing(all, keys)) {
      const rest = entry.deciding.keys.filter((key) => !keys.includes(key))
      if (rest.length === 0) undo(entry)
      else change(entry, { keys: rest })
    }
  }
  const hold = (entry: Entry, checked: readonly string[]): void => {
    if (!all.has(entry)) return
    const keys = entry.deciding.keys.filter((key) => checked.includes(key))
    change(entry, { keys, phase: 'held' })
    if (keys.length === 0 || leftMs(entry) <= 0) begin(entry)
    else entry.stopTimer = startTimer(() => begin(entry), leftMs(entry))
  }
  const take = <T>({ check, send, waitMs, ...plan }: Plan<T>): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      giveWay(plan.keys)
      const refuse = (error: unknown): void => {
        count.refusals += 1
        end(entry)
        reject(error)
      }
      const finish = (answer: T): void => {
        end(entry)
        resolve(answer)
      }
      const pressed = { id: (count.presses += 1), waits: waitMs > 0, untilMs: nowMs() + waitMs }
      const entry: Entry = {
        deciding: { ...plan, ...pressed, phase: 'checking' },
        stopTimer: () => undefined,
        send: (isLeaving) => void send(entry.deciding.keys, isLeaving).then(finish, refuse),
        drop: () => resolve(undefined),
        refuse,
      }
      add(entry)
      void check().then(
        (checked) => hold(entry, checked),
        (error: unknown) => all.has(entry) && refuse(error),
      )
    })
  return {
    take,
    undo: (deciding) =>
      undo([...all].findLast((entry) => (deciding === undefined ? canUndo : isOf(deciding))(entry.deciding))),
    sendNow: (deciding) =>
      [...all].filter((entry) => isOf(deciding)(entry.deciding)).forEach((entry) => hurry(entry, false)),
    async leave(withinMs) {
      const before = count.refusals
      for (const entry of all) hurry(entry, true)
      await (withinMs === undefined ? whenOver() : atMost(whenOver(), (end) => startTimer(end, withinMs)))
      return count.refusals === before
    },
    read,
    subscribe,
  }
}

/** Waits for work, or until the timer ends that. */
async function atMost(work: Promise<void>, startTimer: (end: () => void) => () => void): Promise<void> {
  let stopTimer = (): void => undefined
  const timeout = new Promise<void>((resolve) => {
    stopTimer = startTimer(resolve)
  })
  await Promise.race([work, timeout])
  stopTimer()
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

/**
 * Takes back what is not sent yet, and gives words for that; undefined where there is nothing.
 *
 * @param why such as `Your session ended`
 */
export function takeBack(
  held: Pick<HeldDecisions, 'read' | 'undo'>,
  why: string,
  isMeant: (deciding: Deciding) => boolean = () => true,
): string | undefined {
  const taken = held.read().filter((deciding) => isMeant(deciding) && held.undo(deciding))
  if (taken.length === 0) return undefined
  return `${why} before this was sent: ${taken.map(({ doing, what }) => `${doing.toLowerCase()} ${what}`).join(', ')}.`
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
  const nextChange = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = subscribe(() => {
        stop()
        resolve()
      })
    })
  return {
    all,
    read: () => shown,
    subscribe,
    async whenOver() {
      while (all.size > 0) await nextChange()
    },
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
