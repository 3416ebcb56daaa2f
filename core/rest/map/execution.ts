import type { Execution } from '../../crd/types.ts'
import type { ExecutionRecord } from '../records/execution.ts'
import { PURPOSE_WORDS } from '../../enum-values.ts'
import { toCheckFields, toCheckRecord } from './checks.ts'
import { toFindings, toRebaseRecord } from './delivery.ts'
import { toGivenEnvironment, toSealedRecord } from './environment.ts'
import { withoutAbsent } from '../../omit.ts'
import { copy, toCost, toErrorFields, toMessageRecord, toQuestionRecord, toShownTime } from './fields.ts'

export function toExecutionRecord({ metadata, spec, status = {} }: Execution): ExecutionRecord {
  return {
    id: metadata.name,
    purpose: PURPOSE_WORDS[spec.purpose],
    state: status.state ?? 'PENDING',
    phases: (status.phases ?? []).map(({ name, startedAt, finishedAt }) => ({
      name,
      ...withoutAbsent({ started_at: startedAt, finished_at: finishedAt }),
    })),
    fix_commits: [...(status.commits ?? [])],
    auth_retried: status.authRetried ?? false,
    created_at: metadata.creationTimestamp ?? '',
    ...withoutAbsent({
      task_id: spec.taskRef?.name,
      story_id: spec.storyRef?.name,
      project_id: spec.projectRef?.name,
      agent: spec.agent,
      model: spec.model,
      attempt: spec.attempt,
      resumes: spec.resumes,
      answer: spec.answer && { ...spec.answer, at: toShownTime(spec.answer.at) },
      revision: spec.revision && { ...spec.revision, at: toShownTime(spec.revision.at) },
      continued: status.continued && {
        task_id: status.continued.task,
        ...withoutAbsent({ told: status.continued.told }),
      },
      waiting_for: status.waitingFor,
      environment: status.environment && toGivenEnvironment(status.environment),
      sealed: status.sealed && toSealedRecord(status.sealed),
      pod: status.pod,
      services: status.services?.map(({ name, restarts, reason }) => ({
        name,
        restarts,
        ...withoutAbsent({ reason }),
      })),
      sandbox_dir: status.sandboxDir,
      stdout_path: status.stdoutPath,
      stderr_path: status.stderrPath,
      artifact_dir: status.artifactDir,
      exit_code: status.exitCode,
      session_id: status.sessionId,
      cost_usd: toCost(status.costUSD),
      tokens: toTokensRecord(status.tokens),
      turns: status.turns,
      questions: status.questions?.map(toQuestionRecord),
      messages: status.messages?.map(toMessageRecord),
      failed_servers: copy(status.failedServers),
      summary: status.summary,
      ...toErrorFields(status.error),
      branch: status.branch,
      head: status.head,
      ...toFindings(status),
      base_commit: status.baseCommit,
      changes: status.changes,
      rebase: toRebaseRecord(status.rebase),
      checks: status.checks?.map((check) => toCheckRecord(check)),
      rounds: status.rounds,
      round_started_at: status.roundStartedAt,
      ...toCheckFields({ ...status, checksWaived: spec.checksWaived }),
      undelivered: status.undelivered?.map(({ path, reason }) => ({ path, reason })),
      undelivered_count: status.undeliveredCount,
      started_at: status.startedAt,
      finished_at: status.finishedAt,
    }),
  }
}

function toTokensRecord(tokens: NonNullable<Execution['status']>['tokens']): ExecutionRecord['tokens'] {
  if (tokens === undefined) return undefined
  const { input, output, cacheRead, cacheWrite } = tokens
  return withoutAbsent({ input, output, cache_read: cacheRead, cache_write: cacheWrite })
}
