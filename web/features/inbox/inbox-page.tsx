import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { countOf } from '../../../core/sentences/amounts.ts'
import type { Agent } from '../../../core/rest/client/client.ts'
import { TASK_STATE_LABELS } from '../../../core/sentences/states.ts'
import { useAttentions } from '../../api/attentions.ts'
import { undrainAgent } from '../../api/decisions.ts'
import { useSession } from '../../api/session.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { isField } from '../../components/is-field.ts'
import { pressLater } from '../../components/press-later.ts'
import { notify, refuse } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { type Attention, type AttentionGroup, ATTENTION_GROUPS } from '../../model/attention.ts'
import { groupBy } from '../../model/group.ts'
import css from './inbox.module.css'
import { Item } from './item.tsx'
import { StoryItem } from './story-item.tsx'
import { TaskItem } from './task-item.tsx'

const HEADINGS: Readonly<Record<AttentionGroup, string>> = {
  questions: 'Questions',
  review: TASK_STATE_LABELS.READY,
  failed: TASK_STATE_LABELS.FAILED,
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

/** An agent that takes no work until a person acts. */
function AgentItem({ agent }: { readonly agent: Agent }) {
  const { status } = agent
  const canUndrain = useSession().may('admin')
  const { decide, isPending } = useDecision(() => undrainAgent(agent), {
    onDone: (message) => notify(`${agent.id}: ${message}`),
    onRefused: refuse,
  })
  return (
    <Item
      words={{ tone: 'fail', icon: 'pause', text: 'Drained' }}
      title={`${agent.id} is drained`}
      to={`/agents/${encodeURIComponent(agent.id)}`}
      meta={[
        status.consecutive_failures > 0 && `${status.consecutive_failures} failures in a row`,
        status.queued > 0 && `${countOf(status.queued, 'task waits', 'tasks wait')} behind it`,
      ]}
      actions={
        canUndrain && (
          <Button isSmall isBusy={isPending} onClick={() => decide(undefined)}>
            Undrain
          </Button>
        )
      }
    >
      {status.reason}
    </Item>
  )
}

const ROW = '[data-row]'

/** Keys of the inbox: to the next and the previous row, and the buttons of the row that has the focus. */
function useInboxKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      const rows = [...document.querySelectorAll<HTMLElement>(ROW)]
      const current = event.target instanceof Element ? event.target.closest<HTMLElement>(ROW) : null
      const step = { j: 1, k: -1 }[event.key]
      if (step !== undefined) {
        const index = current === null ? (step === 1 ? 0 : rows.length - 1) : rows.indexOf(current) + step
        rows[index]?.querySelector('a')?.focus()
        return
      }
      const button = current?.querySelector<HTMLButtonElement>(`button[data-key="${CSS.escape(event.key)}"]`)
      if (button !== null && button !== undefined) pressLater(event, button)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
