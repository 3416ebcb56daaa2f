import { type ReactNode, lazy, Suspense, useState, Component } from 'react'
import { countOf } from '../../core/sentences/amounts.ts'
import { showUnseen } from '../model/hostile-text.ts'
import { Button } from './button.tsx'
import css from './markdown.module.css'

const Rendered = lazy(() =>
  import('./markdown-rendered.tsx').then(({ Rendered: component }) => ({ default: component })),
)

/** The length shown of a longer text until somebody asks for the rest. */
const SHOWN_CHARACTERS = 20_000
/** More than that is shown as plain text: laying it out would stop the page for seconds. */
const MAX_RENDERED_CHARACTERS = 100_000

/**
 * A text of an agent as GitHub's markdown. It is hostile: markup in it stays text, links lead to http and https alone,
 * pictures are links, and characters that would turn the direction of the text are shown.
 */
export function Markdown({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  const cut = text.length > SHOWN_CHARACTERS && !isWhole ? text.slice(0, SHOWN_CHARACTERS) : text
  const shown = showUnseen(cut)
  return (
    <div className={css['markdown']}>
      {shown.length > MAX_RENDERED_CHARACTERS ? <Plain text={shown} /> : <Laid text={shown} />}
      {cut.length < text.length && (
        <Button isSmall onClick={() => setWhole(true)}>
          Show all ({countOf(text.length, 'character')})
        </Button>
      )}
    </div>
  )
}

/** Plain while the code for markdown is loaded, and where it cannot be loaded or fails. */
function Laid({ text }: { readonly text: string }) {
  return (
    <Fallback shown={<Plain text={text} />}>
      <Suspense fallback={<Plain text={text} isComing />}>
        <Rendered text={text} />
      </Suspense>
    </Fallback>
  )
}

/** In paragraphs, so that it is about as high as it will be. */
function Plain({ text, isComing = false }: { readonly text: string; readonly isComing?: boolean }) {
  return text.split(/\n{2,}/).map((paragraph, index) => (
    <p key={index} className={css['plain']} data-coming={isComing || undefined}>
      {paragraph}
    </p>
  ))
}

interface FallbackProps {
  readonly shown: ReactNode
  readonly children: ReactNode
}

/** Shows something plainer where what stands in it cannot be loaded or drawn. */
class Fallback extends Component<FallbackProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.shown : this.props.children
  }
}
