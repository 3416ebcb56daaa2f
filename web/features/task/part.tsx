import type { ReactNode } from 'react'
import css from './task.module.css'

/** A part of a tab under a small heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css['part']}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
