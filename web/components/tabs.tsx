import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './tabs.module.css'

export interface Tab<Id extends string = string> {
  readonly id: Id
  readonly label: string
  /** How many things are in it; left out where that says nothing. */
  readonly count?: number | undefined
  /** Drawn only while the tab is open. */
  readonly content: ReactNode
  /** It stays drawn, out of sight, while another tab is open: something is being written in it. */
  readonly isKept?: boolean
}

interface TabsProps<Id extends string> {
  /** What the row of tabs is called for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
  /** Takes the height that is left in its place; a fixed tab does not scroll, parts of it do. */
  readonly fill?: 'scrolling' | 'fixed'
}

/** One of several contents at a time; arrow keys move between the tabs. The caller keeps which one is open. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, fill }: TabsProps<Id>) {
  const choose = (chosen: string): void => {
    const tab = tabs.find(({ id }) => id === chosen)
    if (tab !== undefined) onChange(tab.id)
  }
  return (
    <Primitive.Root value={value} onValueChange={choose} className={css['root']} data-fill={fill}>
      <Primitive.List aria-label={label} className={css['list']}>
        {tabs.map(({ id, label: name, count }) => (
          <Primitive.Trigger key={id} value={id} className={css['tab']}>
            {name}
            {count !== undefined && count > 0 && <span className={css['count']}> {count}</span>}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ id, content, isKept = false }) => (
        <Primitive.Content key={id} value={id} className={css['content']} {...(isKept ? { forceMount: true } : {})}>
          {(id === value || isKept) && content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
