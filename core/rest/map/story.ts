import type { EvaluationRun, Story, StoryEvent } from '../../crd/types.ts'
import { criteriaOf } from '../../story/criteria.ts'
import { TRACKED } from '../../story/progress.ts'
import type { EvaluationRecord, ReviewFields, StoryEventRecord } from '../records/story.ts'
import { EVALUATION_OUTCOME_WORDS, EVALUATION_ROLE_WORDS } from '../../enum-values.ts'
import { toFindings } from './delivery.ts'
import { withoutAbsent } from '../../omit.ts'
import { toShownTime } from './fields.ts'

/** What accepting the story adds to the default branch. */
export function toReviewFields({ status }: Story): ReviewFields {
  if (status?.review === undefined) return {}
  const { execution, baseCommit, head, commits, changes } = status.review
  const review = {
    execution_id: execution,
    base_commit: baseCommit,
    head,
    commits: [...(commits ?? [])],
    ...withoutAbsent({ changes }),
  }
  return { review, ...toFindings(status.review) }
}

export function toStoryEventRecord({ metadata, spec }: StoryEvent): StoryEventRecord {
  const { storyId, kind, payload = {}, at, by } = spec
  return {
    id: metadata.name,
    story_id: storyId,
    kind,
    payload: { ...payload },
    at: toShownTime(at),
    ...withoutAbsent({ by }),
  }
}

/** Before anybody has evaluated a story every criterion is pending. */
export function toEvaluationRecord({ spec, status }: Story): EvaluationRecord {
  const total = criteriaOf(spec).length
  const evaluation = status?.evaluation ?? { total, passed: 0, failed: 0, pending: total }
  const { verdicts = [], runs, round, startedAt } = evaluation
  const { passed, failed, pending } = evaluation
  return {
    total: evaluation.total,
    passed,
    failed,
    pending,
    verdicts: verdicts.map((verdict) => ({ ...verdict, ...withoutAbsent({ at: toShownTime(verdict.at) }) })),
    ...withoutAbsent({
      round,
      started_at: toShownTime(startedAt),
      message: evaluationMessage(status),
      runs: runs?.map(toRunRecord),
    }),
  }
}

function toRunRecord(run: EvaluationRun): NonNullable<EvaluationRecord['runs']>[number] {
  const { execution, role, agent, outcome, message, finishedAt, retryAfter } = run
  return {
    execution_id: execution,
    role: EVALUATION_ROLE_WORDS[role],
    agent,
    outcome: outcome === undefined ? 'running' : EVALUATION_OUTCOME_WORDS[outcome],
    ...withoutAbsent({ message, finished_at: finishedAt, retry_after: retryAfter }),
  }
}

/** The operator says it in the condition; outside VALIDATING that tells of the status alone. */
function evaluationMessage(status: Story['status']): string | undefined {
  if (status?.status !== 'VALIDATING') return undefined
  return status.conditions?.find(({ type, reason }) => type === 'Ready' && reason !== TRACKED)?.message
}
