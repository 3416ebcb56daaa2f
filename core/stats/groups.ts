import type { ErrorCategory } from '../crd/types.ts'

/** Groups of errors that statistics tell apart (specification §8.24). */
export const ERROR_GROUPS = ['quota', 'rate_limit', 'timeout', 'git', 'failed'] as const
export type ErrorGroup = (typeof ERROR_GROUPS)[number]

/** The group in which each category of error is counted. */
export const ERROR_GROUP_OF = {
  quota: 'quota',
  budget: 'quota',
  rate_limit: 'rate_limit',
  timeout: 'timeout',
  git: 'git',
  auth: 'failed',
  credentials: 'failed',
  no_repository: 'failed',
  cancelled: 'failed',
  lost: 'failed',
  unavailable: 'failed',
  checks: 'failed',
  failed: 'failed',
} as const satisfies Record<ErrorCategory, ErrorGroup>
