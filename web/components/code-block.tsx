import css from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  readonly text: string
  /** What it is: `Command`, `YAML of the task`. */
  readonly label: string
  /** True: long lines are wrapped; else they run on beyond the edge, and the block scrolls. */
  readonly isWrapped?: boolean
}

/** Text as it is, in a font of fixed width, with a button that copies it. */
export function CodeBlock({ text, label, isWrapped = false }: CodeBlockProps) {
  return (
    <div className={css['block']}>
      {/* What scrolls can be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre role="region" aria-label={label} tabIndex={0} data-wrapped={isWrapped || undefined}>
        {text}
      </pre>
      <div className={css['copy']}>
        <CopyButton text={text} label={`Copy: ${label}`} isIconOnly />
      </div>
    </div>
  )
}
