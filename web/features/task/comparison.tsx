import { useServerTime } from '../../api/server-clock.ts'
import { Button } from '../../components/button.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { type Attempt, compareAttempts } from '../../model/attempts.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './task.module.css'

interface ComparisonProps {
  readonly left: Attempt
  readonly right: Attempt
  /** Shows the lines that changed; undefined where one of them has no diff. */
  readonly onDiff: (() => void) | undefined
}

/** Two attempts side by side, the earlier one on the left. */
export function Comparison({ left, right, onDiff }: ComparisonProps) {
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
          {left.verdict?.comment !== undefined && (
            <tr>
              <th scope="row">Sent back with</th>
              <td>
                <p className={css['quote']}>{showUnseen(left.verdict.comment)}</p>
              </td>
              <td>
                {right.verdict?.comment === undefined ? (
                  '–'
                ) : (
                  <p className={css['quote']}>{showUnseen(right.verdict.comment)}</p>
                )}
              </td>
            </tr>
          )}
          {onDiff !== undefined && (
            <tr>
              <th scope="row">Lines</th>
              <td colSpan={2}>
                <Button isSmall onClick={onDiff}>
                  Show what changed from {left.name} to {right.name}
                </Button>
              </td>
            </tr>
          )}
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
