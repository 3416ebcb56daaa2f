import { Link } from '@tanstack/react-router'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EditPage } from '../model/open.ts'
import css from './button.module.css'

interface LinkButtonProps {
  readonly to: NonNullable<LinkProps['to']> | EditPage
  readonly look?: 'plain' | 'primary' | 'quiet'
  readonly isSmall?: boolean
  readonly children: ReactNode
}

/** A link to another view that looks like a button: the one thing to go on with. */
export function LinkButton({ to, look = 'plain', isSmall = true, children }: LinkButtonProps) {
  const address: string = to
  return (
    <Link to={address} className={css['button']} data-look={look} data-small={isSmall || undefined}>
      {children}
    </Link>
  )
}
