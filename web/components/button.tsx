import { type LinkProps, Link } from '@tanstack/react-router'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import type { EditPage } from '../model/open.ts'
import css from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the one thing to do; at most one in sight. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly isSmall?: boolean
  /** True while what it does is under way: it cannot be pressed again, and keeps the focus. */
  readonly isBusy?: boolean
}

export function Button({ look = 'plain', isSmall = false, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={css['button']}
      data-look={look}
      data-small={isSmall || undefined}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {children}
    </button>
  )
}

interface LinkButtonProps {
  readonly to: NonNullable<LinkProps['to']> | EditPage
  readonly look?: 'plain' | 'primary' | 'quiet'
  readonly isSmall?: boolean
  /** Search parameters of that view. */
  readonly search?: Readonly<Record<string, string>>
  readonly children: ReactNode
}

/** A link to another view that looks like a button: the one thing to go on with. */
export function LinkButton({ to, look = 'plain', isSmall = true, search = {}, children }: LinkButtonProps) {
  const address: string = to
  return (
    <Link to={address} search={search} className={css['button']} data-look={look} data-small={isSmall || undefined}>
      {children}
    </Link>
  )
}
