import { useMemo, useState } from 'react'
import { Button } from '../button.tsx'
import { StateBadge } from '../state-badge.tsx'
import { GraphList } from './graph-list.tsx'
import type { GraphItem } from './graph-types.ts'
import css from './graph.module.css'
import { type StateGroup, groupByState } from './groups.ts'

const ROWS_AT_ONCE = 50

interface GraphGroupsProps {
  readonly items: readonly GraphItem[]
  readonly relations: ReadonlyMap<string, string>
  readonly onOpen: ((id: string) => void) | undefined
}

/** A graph that is too large for a picture: its nodes under their states, some of each at a time. */
export function GraphGroups({ items, ...shared }: GraphGroupsProps) {
  const groups = useMemo(() => groupByState(items), [items])
  return (
    <div className={css['groups']}>
      {groups.map((group) => (
        <Group key={group.text} group={group} {...shared} />
      ))}
    </div>
  )
}

function Group({
  group: { text, items },
  ...shared
}: Omit<GraphGroupsProps, 'items'> & { readonly group: StateGroup }) {
  const [most, setMost] = useState(ROWS_AT_ONCE)
  const left = items.length - most
  const words = items[0]?.words
  return (
    <section aria-label={text}>
      <h3 className={css['state-group']}>
        {words === undefined ? text : <StateBadge words={words} />} <span>{items.length}</span>
      </h3>
      <GraphList isUnderState items={items.slice(0, most)} {...shared} />
      {left > 0 && (
        <p className={css['more']}>
          <Button isSmall onClick={() => setMost(most + ROWS_AT_ONCE)}>
            Show {Math.min(left, ROWS_AT_ONCE)} more of {left}
          </Button>
        </p>
      )}
    </section>
  )
}
