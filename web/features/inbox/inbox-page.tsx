import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Attention, AttentionGroup } from '../../model/attention.ts'
import { ATTENTION_GROUPS } from '../../model/attention.ts'
import { groupBy } from '../../model/group.ts'
import { useAttentions } from '../../api/attentions.ts'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { AgentItem } from './agent-item.tsx'
import css from './inbox.module.css'
import { StoryItem } from './story-item.tsx'
import { TaskItem } from './task-item.tsx'
import { useInboxKeys } from './use-inbox-keys.ts'

const HEADINGS: Readonly<Record<AttentionGroup, string>> = {
  questions: 'Questions',
  review: 'Ready for review',
  failed: 'Failed',
  agents: 'Agents that take no work',
}

/** The view at /: all that waits for a person, with the means to decide. */
export function InboxPage() {
  const { items, isPending, error, retry } = useAttentions()
  useInboxKeys()
  return (
    <>
      <ViewHeader title="Inbox">
        <span>what needs you, oldest first</span>
        <Hints />
      </ViewHeader>
      {isPending && error === undefined && <Skeleton rows={5} label="The inbox is being read" />}
      {error !== undefined && <ErrorState title="The inbox could not be read" error={error} onRetry={retry} />}
      {!isPending && items.length === 0 && (
        <EmptyState title="Nothing needs you" action={<Link to="/tasks">To the tasks</Link>}>
          Questions of agents, work that is ready for review, failures and agents that take no work appear here, the
          oldest first.
        </EmptyState>
      )}
      {items.length > 0 && <Groups items={items} />}
    </>
  )
}

function Hints() {
  return (
    <span className={css['hints']} aria-hidden>
      <kbd>j</kbd> <kbd>k</kbd> move · <kbd>a</kbd> accept · <kbd>r</kbd> reject · <kbd>↵</kbd> open
    </span>
  )
}

function Groups({ items }: { readonly items: readonly Attention[] }) {
  const groups = groupBy(items, ({ group }) => group)
  return (
    <div className={css['list']}>
      {ATTENTION_GROUPS.map((group) => {
        const members = groups.get(group) ?? []
        return members.length === 0 ? null : (
          <section key={group} aria-labelledby={`inbox-${group}`}>
            <h2 id={`inbox-${group}`} className={css['heading']}>
              {HEADINGS[group]} <span>{members.length}</span>
            </h2>
            <ul>{members.map(toItem)}</ul>
          </section>
        )
      })}
    </div>
  )
}

function toItem(item: Attention): ReactNode {
  switch (item.kind) {
    case 'task':
      return <TaskItem key={`task ${item.id}`} task={item.task} sinceMs={item.sinceMs} />
    case 'story':
      return <StoryItem key={`story ${item.id}`} story={item.story} sinceMs={item.sinceMs} />
    case 'agent':
      return <AgentItem key={`agent ${item.id}`} agent={item.agent} />
    default:
      return item satisfies never
  }
}
