import { type ReactNode, memo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { findSafeHref } from '../model/hostile-text.ts'
import { lineBreaks } from './line-breaks.ts'

const PLUGINS = [remarkGfm, lineBreaks]

/** Markdown as elements of React: raw HTML in it is text. Loaded with the first text that is shown. */
export const Rendered = memo(function Rendered({ text }: { readonly text: string }) {
  return (
    <Markdown remarkPlugins={PLUGINS} urlTransform={findSafeHref} components={COMPONENTS}>
      {text}
    </Markdown>
  )
})

/** Headings of an agent are no headings of the page. */
const COMPONENTS: Components = {
  a: SafeLink,
  img: PictureLink,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
}

interface SafeLinkProps {
  readonly href?: string | undefined
  readonly children?: ReactNode
}

function SafeLink({ href, children }: SafeLinkProps) {
  if (href === undefined || href === '') return <span>{children}</span>
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

/** A picture would be asked of another host, which then knows who reads this. */
function PictureLink({ src, alt }: { readonly src?: string | undefined; readonly alt?: string | undefined }) {
  const name = alt === undefined || alt === '' ? (src ?? 'without an address') : alt
  return <SafeLink href={src}>picture: {name}</SafeLink>
}

function Heading({ children }: { readonly children?: ReactNode }) {
  return (
    <p>
      <strong>{children}</strong>
    </p>
  )
}
