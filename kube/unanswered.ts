/** The errors of calls of which nobody knows whether they were done. */

/** What was asked, in the words of HTTP. */
export interface Asked {
  readonly method: string
  readonly path: string
}

/** The server did not answer in time; whether it did what was asked is not known. The path is for the log. */
export class RequestTimedOut extends Error {
  override readonly name = 'RequestTimedOut'
  readonly code = 'ETIMEDOUT'
  readonly isWrite: boolean
  readonly path: string

  constructor({ method, path }: Asked, limitMs: number) {
    super(`no answer to ${method} within ${limitMs} ms`)
    this.isWrite = method !== 'GET'
    this.path = path
  }
}

/** The connection broke while the answer to a write was to come: whether it was done is not known. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
  readonly code = 'ECONNRESET'

  constructor(cause: unknown) {
    super('the connection broke before the answer came', { cause })
  }
}
