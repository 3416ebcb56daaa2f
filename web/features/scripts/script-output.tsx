import { formatSpan } from '../../../core/amounts.ts'
import type { ScriptEnd } from '../../api/scripts.ts'
import { AnsiText } from '../../components/ansi-text.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ICON, STATE_ICONS } from '../../components/icons.tsx'
import { exitWords } from './exit-words.ts'
import css from './scripts.module.css'

/** How a script ended, and what it wrote. */
export function ScriptOutput({ end }: { readonly end: ScriptEnd }) {
  const { exit_code, stdout, stderr, duration_seconds } = end
  const Icon = STATE_ICONS[exit_code === 0 ? 'done' : 'failed']
  return (
    <div className={css['end']}>
      <p role="status" className={css['status']} data-tone={exit_code === 0 ? 'done' : 'fail'}>
        <Icon size={ICON} aria-hidden />
        {exitWords(exit_code)} after {formatSpan(duration_seconds * 1000)}
      </p>
      {stdout === '' && stderr === '' && <p className={css['hint']}>It wrote nothing.</p>}
      <Stream name="Output" text={stdout} />
      <Stream name="Errors" text={stderr} />
    </div>
  )
}

/** Beyond this the page would take long to draw; all of it is copied. */
const MOST_LINES = 2_000

function Stream({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(-MOST_LINES)
  return (
    <section aria-label={name}>
      <div className={css['streamHead']}>
        <h3>{name}</h3>
        {lines.length > shown.length && <span className={css['hint']}>the last {MOST_LINES} lines</span>}
        <CopyButton text={text} label={`Copy: ${name}`} />
      </div>
      {/* What scrolls can be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre role="region" aria-label={`${name} of the script`} tabIndex={0} className={css['stream']}>
        {shown.map((line, index) => (
          <div key={index}>{line === '' ? ' ' : <AnsiText text={line} />}</div>
        ))}
      </pre>
    </section>
  )
}
