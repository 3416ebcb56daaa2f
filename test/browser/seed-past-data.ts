/** The tasks of the past week: what was done, when, how often, and how it ended. */
import type { ExecutionStatus, TaskStatus } from '../../core/crd/types.ts'
import { text } from '../helpers/build.ts'

type Failure = NonNullable<ExecutionStatus['error']>
type End = NonNullable<TaskStatus['state']>

export interface PastTask {
  readonly id: string
  readonly title: string
  readonly storyId: string | undefined
  readonly project: string
  readonly agent: string
  /** Before now. */
  readonly createdMsAgo: number
  /** Why each attempt but the last one failed. */
  readonly failures: readonly Failure[]
  readonly end: End
  readonly error: Failure | undefined
}

const SUBJECTS = [
  ['voucher-codes', 'voucher codes', 'shop', 'wallets'],
  ['delivery-dates', 'delivery dates', 'shop', 'last-address'],
  ['packing-slips', 'packing slips', 'shop', undefined],
  ['card-logos', 'the logos of cards', 'shop', 'card-logos'],
  ['invoices', 'invoices as PDF', 'shop', 'invoice-pdf'],
  ['postcodes', 'postcodes of 30 countries', 'shop', 'zip-check'],
  ['addresses', 'remembered addresses', 'shop', 'last-address'],
  ['wallet-refunds', 'refunds to wallets', 'shop', 'wallets'],
  ['tax-reports', 'the monthly tax report', 'shop', undefined],
  ['basket-limits', 'limits of the basket', 'shop', undefined],
  ['typing-errors', 'words with a typing error', 'search', 'typo'],
  ['stock-ranking', 'ranking by stock', 'search', 'ranking'],
  ['facet-counts', 'counts of facets', 'search', 'ranking'],
  ['stop-words', 'stop words in six languages', 'search', 'typo'],
  ['search-logs', 'logs of searches without personal data', 'search', undefined],
  ['index-size', 'the size of the index', 'search', undefined],
  ['suggestions', 'suggestions below the search field', 'search', 'suggest'],
  ['image-sizes', 'sizes of images', 'media', 'responsive'],
  ['alt-texts', 'texts for pictures', 'media', 'alt-texts'],
  ['video-captions', 'captions of videos', 'media', 'captions'],
  ['uploads', 'interrupted uploads', 'media', 'uploads-resume'],
  ['thumbnails', 'thumbnails of drafts', 'media', undefined],
  ['licences', 'licences of stock photos, with their ends and the contracts that they come from', 'media', undefined],
  ['colour-profiles', 'colour profiles', 'media', 'responsive'],
  ['newsletter', 'the newsletter', 'shop', 'newsletter'],
  ['returns', 'labels for returns', 'shop', 'returns'],
  ['gift-cards', 'gift cards', 'shop', 'gift-cards'],
] as const

const STEPS = [
  ['model', 'Store'],
  ['show', 'Show'],
  ['test', 'Test the limits of'],
  ['docs', 'Explain in the help pages:'],
  ['clean', 'Remove the old code for'],
] as const

const AGENTS = ['claude', 'codex', 'claude', 'gemini'] as const

const FAILURES: readonly Failure[] = [
  { category: 'failed', message: text('the agent’s program ended with exit code 1: 3 of 212 tests fail') },
  { category: 'git', message: text('the remote refused the push: main is protected; push to another branch') },
  { category: 'rate_limit', message: text('the provider answered 429 for ten minutes; the task is tried again later') },
  { category: 'timeout', message: text('the agent did not end within 30m; give the task a longer timeout') },
  { category: 'quota', message: text('the usage limit of the account is reached until 15:00') },
  { category: 'lost', message: text('the pod vanished: its node was restarted') },
]
const FALLBACK: Failure = { category: 'failed', message: text('the agent’s program ended with exit code 1') }

/** How a task of the past ended where it did not end well; by its number. */
const ENDS: Readonly<Record<number, readonly [end: End, failure: number]>> = {
  11: ['FAILED', 1],
  37: ['TIMED_OUT', 3],
  58: ['CANCELLED', 5],
  77: ['BUDGET_EXCEEDED', 4],
  90: ['CANCELLED', 0],
  111: ['FAILED', 0],
}

const WEEK_MS = 7 * 24 * 3_600_000
/** The newest one is older than what runs now. */
const LATEST_MS = 2 * 3_600_000

/** All of them, oldest first; spread evenly over the week. */
export const PAST_TASKS: readonly PastTask[] = STEPS.flatMap((step, round) =>
  SUBJECTS.map((subject, n) => makeTask(round * SUBJECTS.length + n, step, subject)),
)

function makeTask(n: number, [verb, words]: (typeof STEPS)[number], subject: (typeof SUBJECTS)[number]): PastTask {
  const [name, what, project, storyId] = subject
  const count = STEPS.length * SUBJECTS.length
  const [end, failure] = ENDS[n] ?? (['COMPLETED', undefined] as const)
  return {
    id: `${name}-${verb}`,
    title: `${words} ${what}`,
    storyId,
    project,
    agent: AGENTS[n % AGENTS.length] ?? 'claude',
    createdMsAgo: LATEST_MS + Math.round((WEEK_MS * (count - n)) / count),
    failures: n % 9 === 4 ? [FAILURES[((n / 9) % FAILURES.length) | 0] ?? FALLBACK] : [],
    end,
    error: failure === undefined ? undefined : (FAILURES[failure] ?? FALLBACK),
  }
}
