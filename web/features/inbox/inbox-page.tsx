import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { goesOn } from '../../../core/attention.ts'
import { countOf } from '../../../core/sentences/amounts.ts'
import { TASK_STATE_LABELS } from '../../../core/sentences/states.ts'
import { type AttentionState, useAttentions } from '../../api/attentions.ts'
import { useTaskBulk } from '../../api/bulk.ts'
import { useCount } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { BulkOutcomes } from '../../components/bulk-bar.tsx'
import { Button } from '../../components/button.tsx'
import { refuse } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { type AttentionGroup, ATTENTION_GROUPS } from '../../model/attention.ts'
import { groupBy } from '../../model/group.ts'
import { type InboxRow, membersOf, rowsOf } from '../../model/inbox-rows.ts'
import { HeldNotes } from './held-notes.tsx'
import css from './inbox.module.css'
import { InboxContext } from './inbox-state.ts'
import { OvertakenItem } from './overtaken-item.tsx'
import { Row, keyOfRow } from './row.tsx'
import { useInboxKeys } from './use-inbox-keys.ts'

const HEADINGS: Readonly<Record<AttentionGroup, string>> = {
  questions: 'Questions',
  review: TASK_STATE_LABELS.READY,
  failed: TASK_STATE_LABELS.FAILED,
  agents: 'Agents that take no work',
}

/** The view at /: all that waits for a person, with the means to decide. */
export function InboxPage() {
  const state = useAttentions()
  const { isPending, error, retry } = state
  useInboxKeys()
  return (
    <>
      <ViewHeader title="Inbox">
        <span>what needs you, oldest first</span>
        <Hints />
      </ViewHeader>
      {isPending && error === undefined && <Skeleton rows={5} label="The inbox is being read" />}
      {error !== undefined && <ErrorState title="The inbox could not be read" error={error} onRetry={retry} />}
      {!isPending && error === undefined && <Inbox {...state} />}
    </>
  )
}

function Hints() {
  return (
    <span className={css['hints']} aria-hidden>
      <kbd>j</kbd> <kbd>k</kbd> move · <kbd>p</kbd> peek · <kbd>a</kbd> accept · <kbd>r</kbd> ask for changes ·{' '}
      <kbd>e</kbd> put away · <kbd>z</kbd> undo
    </span>
  )
}

function Inbox({ items, putAway }: AttentionState) {
  const [peeked, setPeeked] = useState<string>()
  const [showsAway, setShowsAway] = useState(false)
  const [overtaken, setAllOvertaken] = useState<readonly string[]>([])
  const setOvertaken = useCallback(
    (id: string, isOvertaken: boolean) =>
      setAllOvertaken((ids) => [...ids.filter((other) => other !== id), ...(isOvertaken ? [id] : [])]),
    [],
  )
  const move = useCallback(
    (row: InboxRow, isAway: boolean) => {
      if (!putAway.move(items, membersOf(row), isAway)) refuse('This browser has no room to keep what is put away.')
    },
    [items, putAway],
  )
  const shared = useMemo(() => ({ peeked, setPeeked, move, setOvertaken }), [peeked, move, setOvertaken])
  const bulk = useTaskBulk()
  const rows = useMemo(() => rowsOf(items.filter((item) => !putAway.isAway(item))), [items, putAway])
  const away = useMemo(() => rowsOf(items.filter((item) => putAway.isAway(item))), [items, putAway])
  return (
    <InboxContext value={shared}>
      <BulkOutcomes run={bulk.run} onPutAway={bulk.putAway} />
      <div className={css['list']}>
        {overtaken.map((id) => (
          <OvertakenItem key={id} taskId={id} />
        ))}
        <HeldNotes />
        {rows.length === 0 && <NothingNeedsYou hasAway={away.length > 0} />}
        <Groups rows={rows} />
        {away.length > 0 && (
          <section aria-label="Put away">
            <Button look="quiet" isSmall aria-expanded={showsAway} onClick={() => setShowsAway(!showsAway)}>
              {away.length} put away
            </Button>
            {showsAway && (
              <ul>
                {away.map((row) => (
                  <Row key={keyOfRow(row)} row={row} isAway />
                ))}
              </ul>
            )}
          </section>
        )}
      </div>
    </InboxContext>
  )
}

function NothingNeedsYou({ hasAway }: { readonly hasAway: boolean }) {
  const canDecide = useSession().may('decide')
  const underWay = useCount('tasks', goesOn)
  return (
    <EmptyState title="Nothing needs you" action={<Link to="/tasks">To the tasks</Link>}>
      {underWay > 0 && `${countOf(underWay, 'task is', 'tasks are')} under way. `}
      {canDecide
        ? 'Questions of agents, work that is ready for review, failures and agents that take no work appear here, the oldest first.'
        : 'Your token may read and not decide. What waits for others is in Stories and Tasks.'}{' '}
      {hasAway && 'What you have put away comes back as soon as it changes.'}
    </EmptyState>
  )
}

function Groups({ rows }: { readonly rows: readonly InboxRow[] }) {
  const groups = groupBy(rows, ({ group }) => group)
  return ATTENTION_GROUPS.map((group) => {
    const members = groups.get(group) ?? []
    return members.length === 0 ? null : (
      <section key={group} aria-labelledby={`inbox-${group}`}>
        <h2 id={`inbox-${group}`} className={css['heading']}>
          {HEADINGS[group]} <span>{members.length}</span>
        </h2>
        <ul>
          {members.map((row) => (
            <Row key={keyOfRow(row)} row={row} />
          ))}
        </ul>
      </section>
    )
  })
}
