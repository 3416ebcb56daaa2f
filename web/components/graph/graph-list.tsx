import { StateBadge } from '../state-badge.tsx'
import type { GraphItem, GraphLink } from './graph-types.ts'
import css from './graph.module.css'
import { relationWords } from './paths.ts'

interface GraphListProps {
  readonly items: readonly GraphItem[]
  readonly links: readonly GraphLink[]
  readonly onOpen: ((id: string) => void) | undefined
}

/** The graph in words: each node with its state and what it hangs on. */
export function GraphList({ items, links, onOpen }: GraphListProps) {
  return (
    <ol className={css['list']}>
      {items.map((item) => (
        <li key={item.id}>
          {onOpen === undefined || item.role === 'validation' ? (
            <span>{item.name}</span>
          ) : (
            <button type="button" className={css['open']} onClick={() => onOpen(item.id)}>
              {item.name}
            </button>
          )}
          <StateBadge words={item.words} />
          <span className={css['relation']}>{relationWords(item, items, links)}</span>
        </li>
      ))}
    </ol>
  )
}
