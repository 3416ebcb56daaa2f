/** Limits of requests that pages state too; apart from the schemas, which a page does not load. */

/** Largest drop file (specification §12.1). */
export const MAX_DROP_BYTES = 512 * 1024 * 1024
/** Longest text that a log is searched for, in characters. */
export const MAX_SEARCHED_TEXT = 200
/** Line numbers in one answer of a search, and those that a page keeps. */
export const MAX_LOG_MATCHES = 10_000
