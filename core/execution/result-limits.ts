/**
 * How much an outcome and a result hold, apart from their schemas: the runner cuts what it writes, and must start
 * without the library that the schemas are made with. Lengths are in characters.
 */
export const RESULT_LIMITS = {
  errorLength: 4096,
  summaryLength: 16_384,
  questions: 20,
  questionLength: 65_536,
  questionHeaderLength: 200,
  questionOptions: 50,
  questionOptionLength: 4096,
  commits: 200,
  /** MCP servers that did not start. */
  failedServers: 50,
  failedServerLength: 200,
  /** Commits of others, and those that the diff does not show. */
  namedCommits: 50,
  commitTextLength: 200,
  shownPathLength: 1000,
  /** Large folders and files that work adds. */
  bulk: 5,
  /** Files with conflicts, in the report of a rebase. */
  rebaseFiles: 200,
  /** Files with conflicts, of a delivery. */
  conflicts: 100,
  fileNameLength: 4096,
  /** What is not delivered. */
  undelivered: 50,
  undeliveredPathLength: 512,
  undeliveredReasonLength: 512,
  urlLength: 2048,
  checks: 20,
  checkNameLength: 40,
  checkReasonLength: 1024,
  checkTailLength: 8192,
  protectedPaths: 50,
} as const
