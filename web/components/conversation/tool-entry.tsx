import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { countOf, formatSpan } from '../../../core/sentences/amounts.ts'
import { asRecord } from '../../../core/json.ts'
import { editLines } from '../../model/edit-lines.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { toolWords, shortPath } from '../../model/tool-words.ts'
import type { Entry, Edit } from '../../model/transcript.ts'
import { AnsiText } from '../ansi-text.tsx'
import { Button } from '../button.tsx'
import { Changes } from '../changes.tsx'
import { SMALL_ICON } from '../icons.tsx'
import css from './conversation.module.css'

interface ToolEntryProps {
  readonly entry: Extract<Entry, { readonly kind: 'tool' }>
  readonly isLive: boolean
  readonly isToggled: boolean
  readonly onToggle: () => void
}

/** A use of a tool in one line. Edits and what failed are open, the rest opens when it is clicked. */
export function ToolEntryView({ entry, isLive, isToggled, onToggle }: ToolEntryProps) {
  const { edits, result } = entry
  const isOpen = isToggled !== (edits.length > 0 || result?.isError === true)
  const { verb, subject } = toolWords(entry.tool, entry.input ?? { path: edits[0]?.path })
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <div className={css['tool']} data-open={isOpen || undefined}>
      <button type="button" className={css['head']} aria-expanded={isOpen} onClick={onToggle} title={entry.tool}>
        <Icon size={SMALL_ICON} aria-hidden />
        <b>{showUnseen(verb)}</b>
        <code className={css['subject']}>{showUnseen(subject)}</code>
        <Outcome entry={entry} isLive={isLive} />
      </button>
      {isOpen && (
        <>
          {edits.map((edit, index) => (
            <EditDiff key={index} edit={edit} isNamed={edits.length > 1} />
          ))}
          {edits.length === 0 && entry.input !== undefined && <Input input={entry.input} />}
          {result !== undefined && result.text !== '' && (edits.length === 0 || result.isError) && (
            <Text text={result.text} label="Output" />
          )}
        </>
      )}
    </div>
  )
}

/** How it ended: what an edit changed, how long the rest took, or that it failed. */
function Outcome({ entry, isLive }: Pick<ToolEntryProps, 'entry' | 'isLive'>) {
  const { edits, result } = entry
  if (result?.isError === true) return <span className={css['failed']}>failed</span>
  if (edits.length > 0) {
    const lines = edits.flatMap(({ before, after }) => editLines(before, after))
    const count = (kind: string): number => lines.filter((line) => line.kind === kind).length
    return (
      <span className={css['outcome']}>
        <Changes insertions={count('added')} deletions={count('removed')} />
      </span>
    )
  }
  if (result === undefined) return <span className={css['outcome']}>{isLive ? 'works' : 'no result'}</span>
  const tookMs = Date.parse(result.at) - Date.parse(entry.at)
  return <span className={css['outcome']}>{tookMs < 1_000 ? '' : formatSpan(tookMs)}</span>
}

/** A command as it is; any other input as JSON. */
function Input({ input }: { readonly input: unknown }) {
  const command = typeof input === 'string' ? input : asRecord(input)['command']
  const text = typeof command === 'string' ? command : JSON.stringify(input, undefined, 2)
  return <Text text={text} label="Input" />
}

/** Shown of a text in one piece; the log and the files have the whole. */
const SHOWN = 20_000

function Text({ text, label }: { readonly text: string; readonly label: string }) {
  const isCut = text.length > SHOWN
  return (
    <figure className={css['text']}>
      <figcaption>{label}</figcaption>
      <pre>
        <AnsiText text={isCut ? text.slice(0, SHOWN) : text} />
        {isCut && `\n… ${countOf(text.length - SHOWN, 'character')} more`}
      </pre>
    </figure>
  )
}

const SIGNS = { kept: ' ', added: '+', removed: '-' } as const
/** Lines of a longer change that are shown at first. */
const SHOWN_LINES = 40

/** A change of a file as the agent asked for it. @param isNamed with its path, where a tool changes several files */
function EditDiff({ edit, isNamed }: { readonly edit: Edit; readonly isNamed: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const lines = editLines(edit.before, edit.after)
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES)
  return (
    <div className={css['edit']}>
      {isNamed && <code>{showUnseen(shortPath(edit.path))}</code>}
      <pre>
        {shown.map(({ kind, text }, index) => (
          <span key={index} data-kind={kind}>
            {SIGNS[kind]} {showUnseen(text)}
            {'\n'}
          </span>
        ))}
      </pre>
      {shown.length < lines.length && (
        <Button isSmall look="quiet" onClick={() => setWhole(true)}>
          Show {lines.length - shown.length} lines more
        </Button>
      )}
    </div>
  )
}
