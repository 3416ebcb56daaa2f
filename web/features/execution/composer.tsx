import { type KeyboardEvent, useState } from 'react'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { api } from '../../api/client.ts'
import { decideTask } from '../../api/decisions.ts'
import { useDraft } from '../../api/drafts.ts'
import { hasEnded } from '../../api/executions.ts'
import { useSession } from '../../api/session.ts'
import { useHeld } from '../../api/unsaved.ts'
import { Button } from '../../components/button.tsx'
import { OvertakenNote } from '../../components/overtaken-note.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import {
  type Mode,
  type PendingMessage,
  MODE_LABELS,
  pendingMessages,
  sayingProblem,
  usualMode,
} from '../../model/saying.ts'
import type { Transcript } from '../../model/transcript.ts'
import css from './composer.module.css'

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
  const pending = pendingMessages(execution.messages, transcript, isRunning)
  const isCurrent = task?.execution_id === execution.id
  const modes = isCurrent ? (task.message_modes ?? []) : []
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
            {message.by !== undefined && <b>{showUnseen(message.by)}</b>} {words}
          </p>
          <p className={css['said']}>{showUnseen(message.text)}</p>
        </li>
      ))}
    </ul>
  )
}

interface SayFormProps {
  readonly task: Task | undefined
  readonly modes: readonly Mode[]
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSent: () => void
}

function SayForm({ task, modes, text, onText, onSent }: SayFormProps) {
  const [chosen, setChosen] = useState<Mode>()
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const mode = modes.find((one) => one === chosen) ?? usualMode(modes)
  const problem = sayingProblem(text)
  const canSend = text.trim() !== '' && problem === undefined && !isPending
  const send = async (): Promise<void> => {
    if (!canSend || task === undefined || mode === undefined) return
    setPending(true)
    setFailure(undefined)
    try {
      await api.messageTask({ params: { id: task.id }, body: { text, mode } })
      onSent()
      setChosen(undefined)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setPending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // What chooses a word of an input method sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        className={css['text']}
        aria-label="Message to the agent"
        placeholder="Say something to the agent. Enter sends, Shift+Enter begins a line."
        enterKeyHint="send"
        readOnly={isPending}
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={onKeyDown}
      />
      {(problem ?? failure) !== undefined && (
        <p className={css['problem']} role="alert">
          {showUnseen(problem ?? failure ?? '')}
        </p>
      )}
      <p className={css['actions']}>
        {modes.length > 1 ? (
          <select
            aria-label="When the agent gets it"
            value={mode}
            onChange={({ target }) => setChosen(modes.find((one) => one === target.value))}
          >
            {modes.map((one) => (
              <option key={one} value={one}>
                {MODE_LABELS[one]}
              </option>
            ))}
          </select>
        ) : (
          <span>{mode === undefined ? '' : `The agent gets it ${MODE_LABELS[mode].toLowerCase()}.`}</span>
        )}
        <Button
          isSmall
          type="submit"
          look={mode === 'interrupt' ? 'danger' : 'primary'}
          isBusy={isPending}
          disabled={!canSend && !isPending}
        >
          {mode === 'interrupt' ? 'Interrupt' : 'Send'}
        </Button>
      </p>
    </form>
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
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const revise = async (of: Task): Promise<void> => {
    setPending(true)
    setFailure(undefined)
    try {
      await decideTask(of, { action: 'revise', comment: text })
      onDone()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setPending(false)
    }
  }
  const words = isRunning ? 'The agent takes no messages any more.' : 'The run ended before this was sent.'
  return (
    <>
      <OvertakenNote words={words} text={text} onDiscard={onDone}>
        {task?.actions.includes('revise') === true && (
          <Button isSmall look="primary" isBusy={isPending} onClick={() => void revise(task)}>
            Ask for changes with it
          </Button>
        )}
      </OvertakenNote>
      {failure !== undefined && (
        <p className={css['problem']} role="alert">
          {showUnseen(failure)}
        </p>
      )}
    </>
  )
}
