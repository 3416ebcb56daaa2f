import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Execution } from '../../../core/rest/client/client.ts'
import { useConversation } from '../../api/conversation.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import { useFirstError, useLog } from '../../api/execution-log.ts'
import { ConversationView } from '../../components/conversation/conversation-view.tsx'
import { ReadOnlyDiff } from '../../components/diff/diff-view.tsx'
import { LogView } from '../../components/log/log-view.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import css from './task.module.css'

/** The last run of a task that failed: what was said or printed, at the first error, and what it had changed. */
export function LastRun({ execution }: { readonly execution: Execution }) {
  const { id, changes } = execution
  const { transcript, isWhole } = useConversation(execution)
  const hasDiff = (changes?.files ?? 0) > 0
  const diff = useExecutionDiff(hasDiff ? id : undefined)
  const isSaid = transcript.entries.length > 0
  return (
    <div className={css['last']} data-two={hasDiff || undefined}>
      <section className={css['part']}>
        <h2>
          {isSaid ? 'What was said' : 'Log'}, at its first error{' '}
          <Link
            to="/executions/$executionId"
            params={{ executionId: id }}
            search={{ tab: isSaid ? 'conversation' : 'log' }}
          >
            Show all
          </Link>
        </h2>
        <div className={css['frame']} data-log={!isSaid || undefined}>
          {isSaid ? (
            <ConversationView
              transcript={transcript}
              isLive={false}
              isWhole={isWhole}
              opensAtError={isWhole}
              answer={undefined}
            />
          ) : (
            <Log execution={execution} />
          )}
        </div>
      </section>
      {hasDiff && (
        <section className={css['part']}>
          <h2>What it had changed</h2>
          <div className={css['frame']}>
            <ReadOnlyDiff executionId={id} state={diff} />
          </div>
        </section>
      )}
    </div>
  )
}

/** The stream in which the first error stands, with that line in sight. */
function Log({ execution }: { readonly execution: Execution }) {
  const firstError = useFirstError(execution)
  const { stream = 'stdout', line } = firstError
  const [range, setRange] = useState({ first: 1, count: 0 })
  const onRange = useCallback((first: number, count: number) => setRange({ first, count }), [])
  const { total, error, retry, lineAt } = useLog({ id: execution.id, stream, isLive: false }, range)
  if (error !== undefined) return <ErrorState title="The log could not be read" error={error} onRetry={retry} />
  if (total === undefined || firstError.isPending) return <Skeleton rows={4} label="The log is being read" />
  if (total === 0) return <EmptyState title="It printed nothing" />
  return (
    <LogView
      key={stream}
      label={stream}
      marked=""
      isWrapped={false}
      isLive={false}
      target={line}
      {...{ total, lineAt, onRange }}
    />
  )
}
