import type { ReactNode } from 'react'

/** One line of a list of facts; nothing where it is not known. */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === undefined || children === false || children === '') return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
