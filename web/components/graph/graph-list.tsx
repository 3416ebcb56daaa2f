import { StateBadge } from '../state-badge.tsx'
import type { GraphItem } from './graph-types.ts'
import css from './graph.module.css'

interface GraphListProps {
  readonly items: readonly GraphItem[]
  /** What each hangs on, in words. */
  readonly relations: ReadonlyMap<string, string>
  readonly onOpen: ((id: string) => void) | undefined
  /** What the list stands under says the state already. */
  readonly isUnderState?: boolean
}

/** The graph in words: each node with its state and what it hangs on. */
export function GraphList({ items, relations, onOpen, isUnderState = false }: GraphListProps) {
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
          {!isUnderState && <StateBadge words={item.words} />}
          <span className={css['relation']}>{relations.get(item.id)}</span>
        </li>
      ))}
    </ol>
  )
}
