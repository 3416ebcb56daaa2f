import { useMutation } from '@tanstack/react-query'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { decideTask } from '../../api/decisions.ts'
import { useDraft } from '../../api/drafts.ts'
import { hasEnded } from '../../api/executions.ts'
import { useSession } from '../../api/session.ts'
import { useHeld } from '../../api/unsaved.ts'
import { Button } from '../../components/button.tsx'
import { OvertakenNote } from '../../components/overtaken-note.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { type PendingMessage, pendingMessages } from '../../model/saying.ts'
import type { Transcript } from '../../model/transcript.ts'
import css from './composer.module.css'
import { SayForm } from './say-form.tsx'

interface ComposerProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly transcript: Transcript
  readonly isScript: boolean
}

/** Below the conversation: what the agent was not given yet, and a field to say something to it while it works. */
export function Composer({ execution, task, transcript, isScript }: ComposerProps) {
  const mayDecide = useSession().may('decide')
  const [text, setText, forget] = useDraft(`say.${execution.id}`)
  useHeld(text !== '')
  const isRunning = !hasEnded(execution)
  const isCurrent = task?.execution_id === execution.id
  const isPast = task !== undefined && (!isCurrent || task.state === 'COMPLETED')
  const modes = isCurrent ? (task.message_modes ?? []) : []
  const isHeard = isRunning && (task === undefined || modes.length > 0)
  const pending = pendingMessages(execution.messages, transcript, isHeard ? 'runs' : isPast ? 'past' : 'ended')
  const canSay = mayDecide && isRunning && modes.length > 0
  const isOvertaken = !canSay && text !== ''
  const hasReason = isScript && isRunning && mayDecide
  if (pending.length === 0 && !canSay && !isOvertaken && !hasReason) return null
  return (
    <section className={css['composer']} aria-label="Messages to the agent">
      <Pending messages={pending} />
      {canSay && <SayForm key={execution.id} {...{ task, modes, text }} onText={setText} onSent={forget} />}
      {isOvertaken && <Left {...{ task: isCurrent ? task : undefined, text, isRunning }} onDone={forget} />}
      {hasReason && <p className={css['reason']}>A script takes no messages while it runs.</p>}
    </section>
  )
}

function Pending({ messages }: { readonly messages: readonly PendingMessage[] }) {
  if (messages.length === 0) return null
  return (
    // What scrolls can be scrolled by keys alone (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={css['pending']} aria-label="Said, and not given to the agent yet" tabIndex={0}>
      {messages.map(({ message, words }) => (
        <li key={message.id} data-uncertain={message.uncertain}>
          <p className={css['words']}>
            {message.by !== undefined && (
              <>
                <b>{showUnseen(message.by)}</b> ·{' '}
              </>
            )}
            {words}
          </p>
          <p className={css['said']}>{showUnseen(message.text)}</p>
        </li>
      ))}
    </ul>
  )
}

interface LeftProps {
  /** Undefined where the execution is not its latest. */
  readonly task: Task | undefined
  readonly text: string
  readonly isRunning: boolean
  readonly onDone: () => void
}

/** What was being written when the agent could be told nothing any more. */
function Left({ task, text, isRunning, onDone }: LeftProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: (of: Task) => decideTask(of, { action: 'revise', comment: text }),
    onSuccess: () => onDone(),
  })
  const words = isRunning ? 'The agent takes no messages any more.' : 'The run ended before this was sent.'
  return (
    <>
      <OvertakenNote words={words} text={text} onDiscard={onDone}>
        {task?.actions.includes('revise') === true && (
          <Button isSmall look="primary" isBusy={isPending} onClick={() => mutate(task)}>
            Ask for changes with it
          </Button>
        )}
      </OvertakenNote>
      {error !== null && (
        <p className={css['problem']} role="alert">
          {showUnseen(error.message)}
        </p>
      )}
    </>
  )
}
