import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { showUnseen } from '../../model/hostile-text.ts'
import type { Entry, GivenAnswer } from '../../model/transcript.ts'
import { AnsiText } from '../ansi-text.tsx'
import { SMALL_ICON, STATE_ICONS } from '../icons.tsx'
import { Markdown } from '../markdown.tsx'
import css from './conversation.module.css'
import { ChecksEntry, MessageEntry } from './message-entry.tsx'
import { QuestionEntry } from './question-entry.tsx'
import { ToolEntryView } from './tool-entry.tsx'

interface EntryViewProps {
  readonly entry: Entry
  readonly isLive: boolean
  /** Open where it begins closed, and the other way round. */
  readonly isToggled: boolean
  readonly onToggle: () => void
  /** For a question. */
  readonly answer: GivenAnswer | undefined
}

/** One entry of a conversation. */
export function EntryView({ entry, isLive, isToggled, onToggle, answer }: EntryViewProps): ReactNode {
  switch (entry.kind) {
    case 'text':
      return (
        <div className={css['say']} data-writing={(entry.isOpen && isLive) || undefined}>
          <Markdown text={entry.text} />
          {entry.isOpen && isLive && <span className="unseen">is being written</span>}
        </div>
      )
    case 'thinking':
      return <Folded title="Thinking" isOpen={isToggled} onToggle={onToggle} text={entry.text} />
    case 'tool':
      return <ToolEntryView entry={entry} isLive={isLive} isToggled={isToggled} onToggle={onToggle} />
    case 'question':
      return <QuestionEntry questions={entry.questions} answer={answer} />
    case 'message':
      return <MessageEntry by={entry.by} mode={entry.mode} text={entry.text} />
    case 'checks':
      return <ChecksEntry round={entry.round} text={entry.text} />
    case 'limit':
      return <Note tone={entry.state === 'reached' ? 'fail' : 'ask'} icon="pause" text={entry.message} />
    case 'result':
      return <Result isError={entry.isError} text={entry.text} />
    case 'output':
      return (
        <pre className={css['output']}>
          <AnsiText text={entry.text} />
        </pre>
      )
    case 'session':
      return <p className={css['session']}>Session{entry.model !== undefined && ` with ${showUnseen(entry.model)}`}</p>
    default:
      return entry satisfies never
  }
}

interface FoldedProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly text: string
}

function Folded({ title, isOpen, onToggle, text }: FoldedProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <div className={css['thinking']}>
      <button type="button" className={css['head']} aria-expanded={isOpen} onClick={onToggle}>
        <Icon size={SMALL_ICON} aria-hidden />
        {title}
        {!isOpen && <span className={css['subject']}>{showUnseen(text.split('\n', 1)[0] ?? '')}</span>}
      </button>
      {isOpen && (
        <div className={css['thought']}>
          <Markdown text={text} />
        </div>
      )}
    </div>
  )
}

interface NoteProps {
  readonly tone: 'fail' | 'ask' | 'done'
  readonly icon: keyof typeof STATE_ICONS
  readonly text: string
}

function Note({ tone, icon, text }: NoteProps) {
  const Icon = STATE_ICONS[icon]
  return (
    <p className={css['note']} data-tone={tone}>
      <Icon size={SMALL_ICON} aria-hidden />
      <span>{showUnseen(text)}</span>
    </p>
  )
}

/** What the agent said last is its result too: it is not shown twice where it is long. */
function Result({ isError, text }: { readonly isError: boolean; readonly text: string | undefined }) {
  const words = isError ? 'The agent ended with an error' : 'The agent ended its turn'
  const first = text?.split('\n', 1)[0]?.slice(0, 300) ?? ''
  const shown = isError ? (text ?? '') : first
  return (
    <Note
      tone={isError ? 'fail' : 'done'}
      icon={isError ? 'failed' : 'done'}
      text={shown === '' ? words : `${words}: ${shown}`}
    />
  )
}
