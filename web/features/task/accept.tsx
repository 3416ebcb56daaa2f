import type { Task } from '../../../core/rest/client/client.ts'
import { acceptEffect } from '../../../core/sentences/accept.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { AcceptConsequence } from '../../components/accept-consequence.tsx'
import { Button } from '../../components/button.tsx'
import { workName } from '../../model/reviewed.ts'
import { ReviewFacts } from './review-facts.tsx'
import css from './task.module.css'
import type { ShownWork } from './use-shown-work.ts'

interface AcceptProps {
  readonly task: Task
  readonly work: ShownWork
  readonly isPending: boolean
  readonly onAccept: () => void
  /** Goes to the next task to review; undefined where there is none. */
  readonly onNext: (() => void) | undefined
}

/** Accept with what it does, and what speaks for the work or against it; or with why it is off and the way on. */
export function Accept({ task, work, isPending, onAccept, onNext }: AcceptProps) {
  const project = useProjectOf(task.project)
  const { problem, isLatest, pick, pickable, latest } = work
  const isOff = problem !== undefined || !project.isKnown
  return (
    <>
      {onNext !== undefined && (
        <Button
          data-key="A"
          aria-keyshortcuts="Shift+A"
          isBusy={isPending}
          aria-describedby="task-consequence"
          disabled={isOff}
          onClick={() => {
            onAccept()
            onNext()
          }}
        >
          Accept and next
        </Button>
      )}
      <Button
        data-key="a"
        data-action="accept"
        aria-keyshortcuts="a"
        isBusy={isPending}
        look="primary"
        aria-describedby="task-consequence"
        disabled={isOff}
        onClick={onAccept}
      >
        Accept
      </Button>
      <ReviewFacts task={task} />
      <p id="task-consequence" className={css['consequence']} data-problem={isOff || undefined}>
        {problem ?? <AcceptConsequence project={project} effectOf={(known) => acceptEffect(task, known)} />}{' '}
        {problem !== undefined && !isLatest && (
          <Button isSmall onClick={() => pick(undefined)}>
            Show {workName(pickable, latest)}
          </Button>
        )}
      </p>
    </>
  )
}
