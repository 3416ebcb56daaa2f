import type { Caller } from '../access.ts'

/** What the middleware of a request leave for those behind them. */
export interface RequestState {
  requestId: string
  caller: Caller
  /** Reads and parses the request body, once; see body.ts. */
  readJson: () => Promise<unknown>
}
