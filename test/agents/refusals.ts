/** How the providers refuse, in their own words, as far as the CLIs look at them. */
import type { Refusal } from './turn.ts'

/** An error of the Messages API. */
export function anthropicRefuses(status: number, type: string, message: string, more: Partial<Refusal> = {}): Refusal {
  return { kind: 'fail', status, body: { type: 'error', error: { type, message } }, ...more }
}

/** So many seconds from now, in seconds since the epoch. */
export function secondsAhead(seconds: number): number {
  return Math.ceil(Date.now() / 1000) + seconds
}

/** The five-hour limit of a subscription. @param resetsAt seconds since the epoch */
export function subscriptionUsedUp(resetsAt: number): Refusal {
  const reset = String(resetsAt)
  const headers = {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': reset,
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
  }
  return anthropicRefuses(429, 'rate_limit_error', "This request would exceed your account's rate limit.", { headers })
}

export const OVERLOADED = anthropicRefuses(529, 'overloaded_error', 'Overloaded')
export const KEY_REFUSED = anthropicRefuses(401, 'authentication_error', 'invalid x-api-key')
export const NO_CREDIT = anthropicRefuses(
  400,
  'invalid_request_error',
  'Your credit balance is too low to access the API',
)

/** An error of the Gemini API. */
export function googleRefuses(code: number, status: string, message: string, details: readonly object[] = []): Refusal {
  return { kind: 'fail', status: code, body: { error: { code, status, message, details } } }
}

/** The quota of a period is used up. Without a word on when to retry, the CLI would wait a whole minute. */
export function geminiUsedUp(period: 'Day' | 'Minute'): Refusal {
  const violations = [{ quotaId: `GenerateRequestsPer${period}PerProjectPerModel` }]
  const failure = { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations }
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' }
  const details = period === 'Day' ? [failure] : [failure, retry]
  return googleRefuses(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', details)
}

/** A project of Google Cloud without billing. */
export const GEMINI_UNPAID = googleRefuses(
  403,
  'PERMISSION_DENIED',
  'This API method requires billing to be enabled. Please enable billing on project #123 by visiting https://console.developers.google.com/billing/enable?project=123 then retry.',
  [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'BILLING_DISABLED', domain: 'googleapis.com' }],
)

/** An error of the Responses API. */
export function openaiRefuses(status: number, type: string, message: string): Refusal {
  return { kind: 'fail', status, body: { error: { type, message, code: type } } }
}

export const OPENAI_BROKEN = openaiRefuses(500, 'server_error', 'The server had an error while processing your request')

const NO_GEMINI = googleRefuses(
  404,
  'NOT_FOUND',
  'models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.',
)

/** A model that the provider does not have, in its words. */
export const NO_SUCH_MODEL = {
  claude: anthropicRefuses(404, 'not_found_error', 'model: claude-nine'),
  gemini: NO_GEMINI,
  'gemini-acp': NO_GEMINI,
  opencode: anthropicRefuses(404, 'not_found_error', 'model: claude-nine'),
  codex: openaiRefuses(404, 'model_not_found', 'The model `gpt-x` does not exist or you do not have access to it.'),
} as const

/** The limit of a subscription, of which the CLI makes words. @param resetsAt seconds since the epoch */
export function codexUsedUp(resetsAt: number): Refusal {
  const limit = { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus' }
  return { kind: 'fail', status: 429, body: { error: { ...limit, resets_at: resetsAt } } }
}
