import type { Caller } from '../access.ts'
import type { FoundRoute } from '../route-finder.ts'

/** What the middleware of a request leave for those behind them. */
export interface RequestState {
  requestId: string
  caller: Caller
  /** Undefined where no operation takes the request. */
  route: FoundRoute | undefined
  /** What is still to come of the body is thrown away after the answer; see linger.ts. */
  isRestUnwanted?: true
  /** Reads the request body into memory, once; see body.ts. @throws PayloadTooLarge, RequestTimedOut, Unavailable */
  readBytes: (maxBytes: number) => Promise<Buffer>
  /** Reads and parses the request body, once; see body.ts. */
  readJson: () => Promise<unknown>
}
