import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { type Open, pageOf } from '../model/open.ts'
import { usePanel } from './use-panel.ts'

interface OpenLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'> {
  readonly what: Open
}

/**
 * A link to a task or a story: a plain click opens it in the panel; with Ctrl, or the middle button, its page. It is no
 * link of the router: each of those is rendered at every step of the history, and a board has a thousand.
 */
export function OpenLink({ what, children, ...rest }: OpenLinkProps) {
  const { open } = usePanel()
  const onClick = (event: MouseEvent<HTMLAnchorElement>): void => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    open(what)
  }
  return (
    <a {...rest} href={pageOf(what)} onClick={onClick}>
      {children}
    </a>
  )
}
