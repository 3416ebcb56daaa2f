import type { ReactNode } from 'react'
import css from './view-header.module.css'

/** The bar above a view: its title, and what belongs to the view as a whole. */
export function ViewHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <header className={css['bar']}>
      <h1>{title}</h1>
      {children}
    </header>
  )
}
