/**
 * The contract of the object store: revisions, snapshots and a bounded history over a plain key-value engine.
 *
 * Every change gets the next revision of one sequence that survives restarts; it is the object's resourceVersion.
 * Readers see only what is durable. Writers compare against the newest state, durable or not, so that writes in
 * flight cannot overwrite one another unseen.
 */

/** Where bytes live. One commit at a time. @throws StoreDamaged from every read of what is not as it was written */
export interface Engine {
  /** The last commit's revision; 0 if there was none. */
  readonly revision: number
  get(key: string): string | undefined
  /** Keys from `start` up to, not including, `end`, in byte order. */
  range(start: string, end: string): Iterable<{ readonly key: string; readonly value: string }>
  count(start: string, end: string): number
  /**
   * All or nothing; resolves once nothing but a broken disk can lose it. Of two writes to a key the later one counts.
   *
   * @throws StoreUnwritable: then `revision` tells which state there is, as a rule the one of before
   */
  commit(revision: number, writes: readonly EngineWrite[]): Promise<void>
  /** Why a commit would be refused now, by a look at the disk; undefined when it would not. */
  problem(): Promise<StoreUnwritable | undefined>
  close(): Promise<void>
}

/** `value` undefined removes. */
export interface EngineWrite {
  readonly key: string
  readonly value: string | undefined
}

/** What a key held from `revision` on. */
export interface Entry {
  readonly key: string
  readonly revision: number
  readonly value: string
}

export interface Change {
  readonly type: 'put' | 'remove'
  readonly key: string
  readonly revision: number
  /** The new value; for a removal the last words of the object, with the removal's revision. */
  readonly value: string
  readonly previous: Entry | undefined
}

export interface Write {
  readonly type: 'put' | 'remove'
  readonly key: string
  /** The revision that the key must have now; 0 when it must not exist. */
  readonly expected: number
  /** Makes the value once its revision is known. */
  readonly render: (revision: number) => string
}

export interface RangeQuery {
  readonly prefix: string
  /** Start behind this key. */
  readonly after?: string | undefined
  /** The state to show; the newest durable one when absent. */
  readonly revision?: number | undefined
  readonly limit?: number | undefined
}

export interface Store {
  /** The newest durable revision. */
  readonly revision: number
  /** States and changes up to here are forgotten. */
  readonly compactedRevision: number
  get(key: string): Entry | undefined
  /** As `get`, but with changes that are still on their way to the disk: what a writer must compare with. */
  latest(key: string): Entry | undefined
  /** @throws RevisionCompacted when `revision` is older than the history */
  range(query: RangeQuery): Entry[]
  /** How many keys there are now; close, not exact, while writes are in flight. */
  count(prefix: string, after?: string): number
  /**
   * All or nothing, resolves when durable.
   *
   * @throws RevisionMismatch when a key's revision is not the expected one
   * @throws StoreUnwritable when it cannot reach the disk: it is as if it had not been asked for, and so are the writes
   *   that were on their way with it
   */
  write(writes: readonly Write[]): Promise<readonly Change[]>
  /** Resolves when all that `latest` shows now is durable. @throws StoreUnwritable when it will not be */
  flushed(): Promise<void>
  /** Why a write would be refused now, by a look at the disk; undefined when it would not. */
  problem(): Promise<StoreUnwritable | undefined>
  /** Durable changes after `revision`, oldest first. @throws RevisionCompacted */
  changesAfter(revision: number): readonly Change[]
  /** Calls back after each move of `revision`; the returned function ends it. */
  onChange(listener: () => void): () => void
  /** Waits for writes in flight. */
  close(): Promise<void>
}

/** Another write came first: `actual` is the key's revision, 0 when it does not exist. */
export class RevisionMismatch extends Error {
  override readonly name = 'RevisionMismatch'
  readonly actual: number

  constructor(key: string, expected: number, actual: number) {
    super(`${key} is at revision ${actual}, not ${expected}`)
    this.actual = actual
  }
}

/** The state or the changes asked for are no longer kept. */
export class RevisionCompacted extends Error {
  override readonly name = 'RevisionCompacted'
  readonly revision: number
  readonly oldest: number

  constructor(revision: number, oldest: number) {
    super(`too old resource version: ${revision} (${oldest})`)
    this.revision = revision
    this.oldest = oldest
  }
}

/** The folder cannot be used: held by another process, or written by a newer version. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError'
}

/** Another process holds the folder. */
export class StoreHeld extends StoreError {
  override readonly name = 'StoreHeld'
  readonly pid: number

  constructor(folder: string, pid: number) {
    super(`the store in ${folder} is in use by process ${pid}: stop that process, or use another folder`)
    this.pid = pid
  }
}

/** The disk takes no writes for now; reading goes on. */
export class StoreUnwritable extends StoreError {
  override readonly name = 'StoreUnwritable'
  /** It is for want of room. */
  readonly isFull: boolean

  constructor(message: string, isFull: boolean, options: ErrorOptions) {
    super(message, options)
    this.isFull = isFull
  }
}

/** The stored bytes are not those that were written. */
export class StoreDamaged extends StoreError {
  override readonly name = 'StoreDamaged'

  constructor(file: string, what: string, options?: ErrorOptions) {
    super(
      `the store ${file} is damaged: ${what}; put back a copy of its folder, or move the folder away to begin with an empty store`,
      options,
    )
  }
}

/** The first key behind all keys that start with `prefix`. */
export function endOfPrefix(prefix: string): string {
  return prefix + '\u{10FFFF}'
}
