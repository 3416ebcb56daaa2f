import type { ButtonHTMLAttributes } from 'react'
import css from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the one thing to do; at most one in sight. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly isSmall?: boolean
  /** True while what it does is under way: it cannot be pressed again. */
  readonly isBusy?: boolean
}

export function Button({ look = 'plain', isSmall = false, isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={css['button']}
      data-look={look}
      data-small={isSmall || undefined}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled === true || isBusy}
    >
      {children}
    </button>
  )
}
