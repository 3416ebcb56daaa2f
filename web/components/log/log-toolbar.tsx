import { countOf } from '../../../core/sentences/amounts.ts'
import { ChevronDown, ChevronUp, Download } from 'lucide-react'
import { useState } from 'react'
import { MAX_SEARCHED_TEXT } from '../../../core/rest/limits.ts'
import { Button } from '../button.tsx'
import { SMALL_ICON } from '../icons.tsx'
import css from './log.module.css'

const STREAMS = ['stdout', 'stderr'] as const

interface LogToolbarProps {
  readonly stream: (typeof STREAMS)[number]
  readonly onStream: (stream: (typeof STREAMS)[number]) => void
  readonly wanted: string
  readonly onWanted: (text: string) => void
  /** How many lines contain what is searched for, in words; empty while nothing is. */
  readonly found: string
  /** Undefined unless the search was refused, or failed. */
  readonly onAgain: (() => void) | undefined
  readonly canStep: boolean
  readonly onStep: (by: 1 | -1) => void
  readonly isWrapped: boolean
  readonly onWrap: (isWrapped: boolean) => void
  readonly address: string
  readonly total: number | undefined
}

/** What is done with a log: which stream, what is searched for, how it is drawn, and the whole of it as a file. */
export function LogToolbar(props: LogToolbarProps) {
  const { stream, onStream, isWrapped, onWrap, address, total } = props
  return (
    <div className={css['toolbar']}>
      <span className={css['streams']} role="group" aria-label="Stream">
        {STREAMS.map((name) => (
          <button key={name} type="button" aria-pressed={name === stream} onClick={() => onStream(name)}>
            {name}
          </button>
        ))}
      </span>
      <Search {...props} />
      <span className={css['end']}>
        {total !== undefined && <span>{countOf(total, 'line')}</span>}
        <label className={css['wrap']}>
          <input type="checkbox" checked={isWrapped} onChange={({ target }) => onWrap(target.checked)} />
          Wrap
        </label>
        <a href={address} download={`${stream}.log`}>
          <Download size={SMALL_ICON} aria-hidden />
          Download
        </a>
      </span>
    </div>
  )
}

type SearchProps = Pick<LogToolbarProps, 'wanted' | 'onWanted' | 'found' | 'onAgain' | 'canStep' | 'onStep'>

function Search({ wanted, onWanted, found, onAgain, canStep, onStep }: SearchProps) {
  const [text, setText] = useState(wanted)
  return (
    <form
      className={css['search']}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (text === wanted) onStep(1)
        else onWanted(text)
      }}
    >
      <input
        type="search"
        data-search-field
        placeholder="Search the log"
        aria-label="Search the log"
        maxLength={MAX_SEARCHED_TEXT}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          if (target.value === '') onWanted('')
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !event.shiftKey) return
          event.preventDefault()
          onStep(-1)
        }}
      />
      <Button isSmall look="quiet" aria-label="Previous match" disabled={!canStep} onClick={() => onStep(-1)}>
        <ChevronUp size={SMALL_ICON} aria-hidden />
      </Button>
      <Button isSmall look="quiet" aria-label="Next match" disabled={!canStep} onClick={() => onStep(1)}>
        <ChevronDown size={SMALL_ICON} aria-hidden />
      </Button>
      <span className={css['found']} role="status">
        {found}
      </span>
      {onAgain !== undefined && (
        <Button isSmall onClick={onAgain}>
          Search again
        </Button>
      )}
    </form>
  )
}
