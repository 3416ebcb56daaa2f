import { Link } from '@tanstack/react-router'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import css from './button.module.css'

interface LinkButtonProps {
  readonly to: NonNullable<LinkProps['to']>
  readonly look?: 'plain' | 'primary'
  readonly children: ReactNode
}

/** A link to another view that looks like a button: the one thing to go on with. */
export function LinkButton({ to, look = 'plain', children }: LinkButtonProps) {
  return (
    <Link to={to} className={css['button']} data-look={look} data-small>
      {children}
    </Link>
  )
}
