import { useServerTime } from '../../api/server-clock.ts'
import { Markdown } from '../../components/markdown.tsx'
import type { Attempt } from '../../model/attempts.ts'
import { compareAttempts } from '../../model/attempts.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './task.module.css'

interface ComparisonProps {
  readonly left: Attempt
  readonly right: Attempt
}

/** Two attempts side by side, the earlier one on the left. */
export function Comparison({ left, right }: ComparisonProps) {
  const nowMs = useServerTime()
  return (
    <section aria-label={`${left.name} and ${right.name}`} className={css['scroll']}>
      <table className={css['compared']}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">{left.name}</th>
            <th scope="col">{right.name}</th>
          </tr>
        </thead>
        <tbody>
          {compareAttempts(left.execution, right.execution, nowMs).map((fact) => (
            <tr key={fact.label} data-differs={fact.left !== fact.right || undefined}>
              <th scope="row">{fact.label}</th>
              <td>{fact.left}</td>
              <td>{fact.right}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">What it says</th>
            <td>
              <Said attempt={left} />
            </td>
            <td>
              <Said attempt={right} />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function Said({ attempt: { execution } }: { readonly attempt: Attempt }) {
  const { summary, error } = execution
  if (error !== undefined) return <p className={css['error']}>{showUnseen(error)}</p>
  return summary === undefined ? '–' : <Markdown text={summary} />
}
