import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type { Input, Task } from '../../../core/rest/client/client.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { type Mode, MODE_LABELS, sayingProblem, usualMode } from '../../model/saying.ts'
import css from './composer.module.css'
import area from '../../components/text-area.module.css'

interface SayFormProps {
  readonly task: Task | undefined
  readonly modes: readonly Mode[]
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSent: () => void
}

/** A field to say something to the agent: Enter sends. */
export function SayForm({ task, modes, text, onText, onSent }: SayFormProps) {
  const [chosen, setChosen] = useState<Mode>()
  const mode = modes.find((one) => one === chosen) ?? usualMode(modes)
  const problem = sayingProblem(text)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (message: Input<'messageTask'>) => api.messageTask(message),
    onSuccess: () => {
      onSent()
      setChosen(undefined)
    },
  })
  const canSend = text.trim() !== '' && problem === undefined && !isPending
  const send = (): void => {
    if (canSend && task !== undefined && mode !== undefined) mutate({ params: { id: task.id }, body: { text, mode } })
  }
  const said = problem ?? error?.message
  const onKeyDown = (event: KeyboardEvent): void => {
    // What chooses a word of an input method sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        className={`${area['text']} ${css['text']}`}
        aria-label="Message to the agent"
        placeholder="Say something to the agent. Enter sends, Shift+Enter begins a line."
        enterKeyHint="send"
        readOnly={isPending}
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={onKeyDown}
      />
      {said !== undefined && (
        <p className={css['problem']} role="alert">
          {showUnseen(said)}
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
