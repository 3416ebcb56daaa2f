import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ICON, STATE_ICONS } from '../../components/icons.tsx'
import type { StateWords } from '../../model/state-words.ts'
import css from './inbox.module.css'

interface ItemProps {
  readonly words: StateWords
  readonly title: string
  readonly to: string
  readonly meta: readonly ReactNode[]
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A row of the inbox: what it is, why it is here, and what can be done, in this order. */
export function Item({ words, title, to, meta, actions, children }: ItemProps) {
  const Icon = STATE_ICONS[words.icon]
  return (
    <li className={css['item']} data-row>
      <span className={css['icon']} data-tone={words.tone}>
        <Icon size={ICON} aria-hidden />
      </span>
      <div>
        <h3 className={css['title']}>
          <Link to={to}>{title}</Link>
        </h3>
        <p className={css['meta']}>
          {meta
            .filter((part) => part !== undefined && part !== '' && part !== false)
            .map((part, index) => (
              <span key={index}>{part}</span>
            ))}
        </p>
      </div>
      <div className={css['actions']}>{actions}</div>
      {children !== undefined && <div className={css['body']}>{children}</div>}
    </li>
  )
}
