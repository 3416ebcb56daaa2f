import { Link } from '@tanstack/react-router'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import type { ConversationState } from '../../api/conversation.ts'
import { hasEnded } from '../../api/executions.ts'
import { ConversationView } from '../../components/conversation/conversation-view.tsx'
import { EmptyState, Skeleton } from '../../components/view-states.tsx'
import { hasFailed } from '../../model/failed-run.ts'
import type { GivenAnswer } from '../../model/transcript.ts'
import { Composer } from './composer.tsx'
import { ConversationSide } from './conversation-side.tsx'
import css from './execution.module.css'

interface ConversationTabProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly conversation: ConversationState
  /** To what the agent asked at the end. */
  readonly answer: GivenAnswer | undefined
  readonly isScript: boolean
}

/** What the agent says and does, its plan and its cost beside it. */
export function ConversationTab({ execution, task, conversation, answer, isScript }: ConversationTabProps) {
  const { transcript, isWhole, isAway, isCut } = conversation
  const isLive = !hasEnded(execution)
  return (
    <div className={css['two']}>
      <div className={css['main']}>
        {isAway && isLive && (
          <p className={css['away']} role="status">
            The connection is lost. The page connects again by itself, and nothing is missed.
          </p>
        )}
        {isCut && (
          <p className={css['away']} role="status">
            This conversation is longer than a page can hold: this is its beginning.{' '}
            <a href={`/api/executions/${encodeURIComponent(execution.id)}/events`} download>
              Download all of it
            </a>
          </p>
        )}
        {transcript.entries.length > 0 ? (
          <ConversationView
            transcript={transcript}
            isLive={isLive && !isWhole}
            isWhole={isWhole}
            opensAtError={isWhole && hasFailed(execution)}
            answer={answer}
          />
        ) : isWhole || isLive ? (
          <NothingSaid isScript={isScript} isLive={isLive} />
        ) : (
          <Skeleton rows={6} label="The conversation is being read" />
        )}
        <Composer {...{ execution, task, transcript, isScript }} />
      </div>
      <ConversationSide {...{ execution, task, transcript }} />
    </div>
  )
}

function NothingSaid({ isScript, isLive }: { readonly isScript: boolean; readonly isLive: boolean }) {
  const log = (
    <Link from="/executions/$executionId" to="." search={(now) => ({ ...now, tab: 'log' })} replace>
      To the log
    </Link>
  )
  if (isScript)
    return (
      <EmptyState title="A script has no conversation" action={log}>
        What it prints is in the log.
      </EmptyState>
    )
  return (
    <EmptyState title={isLive ? 'The agent has said nothing yet' : 'The agent said nothing'} action={log}>
      {isLive
        ? 'What it says and does appears here as it happens.'
        : 'It ended before its first word; the log says more.'}
    </EmptyState>
  )
}
