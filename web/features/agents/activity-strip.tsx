import { formatSpan } from '../../../core/amounts.ts'
import css from './agents.module.css'
import type { Span, Strip } from './strip.ts'
import { lengthOf, WINDOW_MS } from './strip.ts'

const ROWS = [
  { kind: 'busy', word: 'at work' },
  { kind: 'limited', word: 'limited' },
  { kind: 'drained', word: 'drained' },
] as const

/** The last 24 hours of an agent on one line; for screen readers, as a sentence. */
export function ActivityStrip({ strip }: { readonly strip: Strip }) {
  const words = ROWS.filter(({ kind }) => strip[kind].length > 0).map(
    ({ kind, word }) => `${word} ${formatSpan(lengthOf(strip[kind]))}`,
  )
  const text = words.length === 0 ? 'no work' : words.join(', ')
  return (
    <div className={css['strip']}>
      <div role="img" aria-label={`Last 24 hours: ${text}`}>
        {ROWS.flatMap(({ kind }) =>
          strip[kind].map((span) => <Bar key={`${kind} ${span.fromMs}`} span={span} endMs={strip.atMs} />),
        )}
      </div>
      <span aria-hidden>24 h: {text}</span>
    </div>
  )
}

function Bar({ span: { kind, fromMs, toMs }, endMs }: { readonly span: Span; readonly endMs: number }) {
  const percent = (ms: number): string => `${(100 * ms) / WINDOW_MS}%`
  return (
    <i
      data-kind={kind}
      style={{ left: percent(fromMs - (endMs - WINDOW_MS)), width: `max(2px, ${percent(toMs - fromMs)})` }}
    />
  )
}
