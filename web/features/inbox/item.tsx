import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, use } from 'react'
import { Button } from '../../components/button.tsx'
import { ICON, STATE_ICONS } from '../../components/icons.tsx'
import { Skeleton } from '../../components/view-states.tsx'
import type { StateWords } from '../../model/state-words.ts'
import rows from '../../components/rows.module.css'
import css from './inbox.module.css'
import { RowContext } from './inbox-state.ts'

interface ItemProps {
  readonly words: StateWords
  readonly title: string
  /** Undefined: it is about several records. */
  readonly to?: string
  readonly meta: readonly ReactNode[]
  readonly actions?: ReactNode
  readonly children?: ReactNode
  /** What opens in the row; made only then. */
  readonly peek?: { readonly label: string; readonly render: () => ReactNode }
}

/** A row of the inbox: what it is, why it is here, and what can be done, in this order. */
export function Item({ words, title, to, meta, actions, children, peek }: ItemProps) {
  const { isAway, isPeeked, onPeek, onMove } = use(RowContext)
  const Icon = STATE_ICONS[words.icon]
  return (
    <li className={`${rows['row']} ${css['item']}`} data-row tabIndex={-1}>
      <span className={css['icon']} data-tone={words.tone}>
        <Icon size={ICON} aria-hidden />
      </span>
      <div>
        <h3 className={css['title']}>{to === undefined ? title : <Link to={to}>{title}</Link>}</h3>
        <p className={css['meta']}>
          {meta
            .filter((part) => part !== undefined && part !== '' && part !== false)
            .map((part, index) => (
              <span key={index}>{part}</span>
            ))}
        </p>
      </div>
      <div className={css['actions']}>
        <span className={css['quiet']}>
          {peek !== undefined && (
            <Button isSmall look="quiet" data-key="p" aria-keyshortcuts="p" aria-expanded={isPeeked} onClick={onPeek}>
              {peek.label}
            </Button>
          )}
          <Button isSmall look="quiet" data-key="e" aria-keyshortcuts="e" title={MOVE_TITLE} onClick={onMove}>
            {isAway ? 'Bring back' : 'Put away'}
          </Button>
        </span>
        {!isAway && actions}
      </div>
      {children !== undefined && <div className={css['body']}>{children}</div>}
      {peek !== undefined && isPeeked && (
        <div className={css['peek']} data-peek>
          <Suspense fallback={<Skeleton rows={4} label="It is being read" />}>{peek.render()}</Suspense>
        </div>
      )}
    </li>
  )
}

const MOVE_TITLE = 'What was put away comes back as soon as it changes'
