import { Link } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import type { Open } from '../model/open.ts'
import { pageOf } from '../model/open.ts'
import { usePanel } from './use-panel.ts'

interface OpenLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'> {
  readonly what: Open
}

/** A link to a task or a story: a plain click opens it in the panel; with Ctrl, or the middle button, its page. */
export function OpenLink({ what, children, ...rest }: OpenLinkProps) {
  const { open } = usePanel()
  const onClick = (event: MouseEvent<HTMLAnchorElement>): void => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    open(what)
  }
  return (
    <Link {...rest} to={pageOf(what)} onClick={onClick}>
      {children}
    </Link>
  )
}
