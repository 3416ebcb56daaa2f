import { ListChecks, MessageSquare } from 'lucide-react'
import type { Entry } from '../../model/transcript.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { capitalised } from '../../model/texts.ts'
import { SMALL_ICON } from '../icons.tsx'
import { Markdown } from '../markdown.tsx'
import css from './conversation.module.css'

type MessageEntryProps = Pick<Extract<Entry, { kind: 'message' }>, 'by' | 'mode' | 'text'>

/** What a person said to the agent, where the agent was given it. */
export function MessageEntry({ by, mode, text }: MessageEntryProps) {
  const sender = by === undefined ? 'A person' : showUnseen(by)
  return (
    <div className={css['message']}>
      <p>
        <MessageSquare size={SMALL_ICON} aria-hidden />
        {sender} {mode === 'interrupt' ? 'stopped the agent and said' : 'said'}
      </p>
      <Markdown text={text} />
    </div>
  )
}

type ChecksEntryProps = Pick<Extract<Entry, { kind: 'checks' }>, 'round' | 'text'>

/** What the checks of a round had found, where the agent was asked to mend it. */
export function ChecksEntry({ round, text }: ChecksEntryProps) {
  return (
    <div className={css['message']}>
      <p>
        <ListChecks size={SMALL_ICON} aria-hidden />
        Slipway asked for a mend after round {round}
      </p>
      <p>{showUnseen(capitalised(text))}</p>
    </div>
  )
}
