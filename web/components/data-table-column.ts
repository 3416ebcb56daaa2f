import type { ReactNode } from 'react'

export interface Column<R> {
  readonly id: string
  readonly label: string
  /** A column's width in a CSS grid, the same in every row: `90px`, `minmax(0, 2fr)`. */
  readonly width: string
  readonly cell: (row: R) => ReactNode
  /** With it the column's head sorts. */
  readonly compare?: (a: R, b: R) => number
  readonly align?: 'end'
  /** The line on which it stands on a phone; default 2. */
  readonly phone?: 1 | 2 | 'hidden'
}

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
}
