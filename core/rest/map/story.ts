import type { EvaluationRun, Story, StoryEvent, StorySpec, StoryValidation } from '../../crd/types.ts'
import { ANNOTATIONS } from '../../names.ts'
import { criteriaOf } from '../../story/criteria.ts'
import { storyActionsAllowed } from '../../story/decide.ts'
import type { StoryProgress } from '../../story/progress.ts'
import { TRACKED } from '../../story/progress.ts'
import { storyStatus } from '../../story/status.ts'
import { storyBranch } from '../../story/branch.ts'
import { STORY_MOVES } from '../../story/transitions.ts'
import type { FINDINGS } from '../records/delivery.ts'
import type { EvaluationRecord, StoryEventRecord, StoryRecord } from '../records/story.ts'
import type { StoryInput } from '../requests/story.ts'
import { EVALUATION_OUTCOME_WORDS, EVALUATION_ROLE_WORDS } from '../enum-values.ts'
import { toFindings } from './delivery.ts'
import { copy, defined, toShownTime } from './fields.ts'

/** @param progress what its tasks say now, which may be ahead of what the story's status holds */
export function toStoryRecord(story: Story, progress: StoryProgress): StoryRecord {
  const { metadata, spec } = story
  const { validation, ...input } = toStoryInput(spec)
  const status = storyStatus(story)
  return {
    id: metadata.name,
    ...input,
    branch_name: storyBranch(metadata.name, spec.branchName),
    status,
    priority: input.priority ?? 0,
    acceptance_criteria: input.acceptance_criteria ?? [],
    ...defined({
      validation: validation && { ...validation, steps: validation.steps ?? [] },
      root_task_id: progress.rootTaskId,
    }),
    tasks: { total: progress.tasks.total, done: progress.tasks.done },
    evaluation: toEvaluationRecord(story),
    ...toReviewFields(story),
    decisions: (story.status?.decisions ?? []).map((decision) => ({ ...decision })),
    created_at: metadata.creationTimestamp ?? '',
    updated_at: updatedAt(story),
    actions: [...storyActionsAllowed(story)],
    moves: [...STORY_MOVES[status]],
  }
}

/** What accepting the story adds to the default branch. */
export function toReviewFields({ status }: Story): Partial<Pick<StoryRecord, 'review' | keyof typeof FINDINGS>> {
  if (status?.review === undefined) return {}
  const { execution, baseCommit, head, commits, changes } = status.review
  const review = {
    execution_id: execution,
    base_commit: baseCommit,
    head,
    commits: [...(commits ?? [])],
    ...defined({ changes }),
  }
  return { review, ...toFindings(status.review) }
}

/** The fields of a story that people write; the inverse of {@link toStorySpec}. */
export function toStoryInput(spec: StorySpec): StoryInput {
  return {
    name: spec.title,
    ...defined({
      branch_name: spec.branchName,
      project_id: spec.projectId,
      epic_id: spec.epicId,
      priority: spec.priority,
      spec: spec.spec,
      acceptance_criteria: copy(spec.acceptanceCriteria),
      validation: spec.validation && toValidationInput(spec.validation),
    }),
  }
}

export function toStorySpec(input: StoryInput): StorySpec {
  return {
    title: input.name,
    ...defined({
      branchName: input.branch_name,
      projectId: input.project_id,
      epicId: input.epic_id,
      priority: input.priority,
      spec: input.spec,
      acceptanceCriteria: input.acceptance_criteria,
      validation: input.validation && toValidation(input.validation),
    }),
  }
}

export function toStoryEventRecord({ metadata, spec }: StoryEvent): StoryEventRecord {
  const { storyId, kind, payload = {}, at, by } = spec
  return {
    id: metadata.name,
    story_id: storyId,
    kind,
    payload: { ...payload },
    at: toShownTime(at),
    ...defined({ by }),
  }
}

function toValidationInput({ type, steps, successCriteria }: StoryValidation): NonNullable<StoryInput['validation']> {
  return defined({ type, steps: copy(steps), success_criteria: successCriteria })
}

function toValidation(input: NonNullable<StoryInput['validation']>): StoryValidation {
  return defined({ type: input.type, steps: input.steps, successCriteria: input.success_criteria })
}

/** Before anybody has evaluated a story every criterion is pending. */
function toEvaluationRecord({ spec, status }: Story): EvaluationRecord {
  const total = criteriaOf(spec).length
  const evaluation = status?.evaluation ?? { total, passed: 0, failed: 0, pending: total }
  const { verdicts = [], runs, round, startedAt } = evaluation
  const { passed, failed, pending } = evaluation
  return {
    total: evaluation.total,
    passed,
    failed,
    pending,
    verdicts: verdicts.map((verdict) => ({ ...verdict, ...defined({ at: toShownTime(verdict.at) }) })),
    ...defined({
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
    ...defined({ message, finished_at: finishedAt, retry_after: retryAfter }),
  }
}

/** The operator says it in the condition; outside VALIDATING that tells of the status alone. */
function evaluationMessage(status: Story['status']): string | undefined {
  if (status?.status !== 'VALIDATING') return undefined
  return status.conditions?.find(({ type, reason }) => type === 'Ready' && reason !== TRACKED)?.message
}

/** The latest instant that the resource itself records; an edit by kubectl shows with the next change of the status. */
function updatedAt({ metadata, status = {} }: Story): string {
  const { [ANNOTATIONS.editedAt]: editedAt } = metadata.annotations ?? {}
  const changed = (status.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime)
  const known = [editedAt, status.statusChangedAt, ...changed]
  return known.reduce<string>(
    (latest, at) => (at !== undefined && at > latest ? at : latest),
    metadata.creationTimestamp ?? '',
  )
}
