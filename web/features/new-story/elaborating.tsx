import { formatSpan } from '../../../core/amounts.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Button } from '../../components/button.tsx'
import css from './new-story.module.css'

interface ElaboratingProps {
  readonly startedAtMs: number
  readonly prompt: string
  readonly onCancel: () => void
}

/** While an agent plans: what happens, how long it has taken, and the way out. */
export function Elaborating({ startedAtMs, prompt, onCancel }: ElaboratingProps) {
  return (
    <div className={css['page']}>
      <div className={css['waiting']} role="status" aria-label="An agent plans the story">
        <h2>
          An agent plans the story <Elapsed startedAtMs={startedAtMs} />
        </h2>
        <blockquote>{prompt}</blockquote>
        <p>
          It reads a throw-away copy of the repository, then writes the name, the specification, the acceptance criteria
          and the tasks. That takes half a minute to a few minutes, at most five. You then change what you want; nothing
          is stored, and nothing is pushed.
        </p>
        <p>Leaving this page, or closing it, stops the agent. What you wrote is kept.</p>
      </div>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}

/** Not read out each second. */
function Elapsed({ startedAtMs }: { readonly startedAtMs: number }) {
  return (
    <span className={css['elapsed']} aria-hidden>
      {formatSpan(useServerTime(1_000) - startedAtMs)}
    </span>
  )
}
