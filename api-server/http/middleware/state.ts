import type { OperationId } from '../../../core/rest/routes.ts'
import type { Caller } from '../../auth/access.ts'

/** What the middleware of a request leave for those behind them. */
export interface RequestState {
  requestId: string
  caller: Caller
  /** The route that takes the request; absent where none does. */
  operation?: OperationId
  /** The rest of the body is thrown away after the answer; see drain-request.ts. */
  isRestUnwanted?: true
  /** Reads the request body into memory, once; see body.ts. @throws ApiError `payload_too_large`, `request_timed_out`, `unavailable` */
  readBytes: (maxBytes: number) => Promise<Buffer>
  /** Reads and parses the request body, once; see body.ts. */
  readJson: () => Promise<unknown>
}
