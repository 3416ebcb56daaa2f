import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type GivenAnswer, type Transcript, findFirstError, findLastQuestion } from '../../model/transcript.ts'
import { Button } from '../button.tsx'
import { SMALL_ICON } from '../icons.tsx'
import css from './conversation.module.css'
import { EntryView } from './entry-view.tsx'

interface ConversationViewProps {
  readonly transcript: Transcript
  /** More may come. */
  readonly isLive: boolean
  /** All of it is here. */
  readonly isWhole: boolean
  /** Opens at the first error, once all of it is here. */
  readonly opensAtError: boolean
  /** To the question at its end. */
  readonly answer: GivenAnswer | undefined
}

/** So near to the end it follows what comes. In pixels. */
const END = 60

/** What an agent says and does, the end in sight; only what is in sight is drawn. It fills its parent. */
export function ConversationView({ transcript, isLive, isWhole, opensAtError, answer }: ConversationViewProps) {
  const { entries } = transcript
  const scroller = useRef<HTMLDivElement>(null)
  const [isEnd, setEnd] = useState(true)
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set())
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 36,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 10,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END,
    paddingStart: 12,
    paddingEnd: 48,
  })
  const error = opensAtError ? findFirstError(transcript) : undefined
  const question = findLastQuestion(transcript, isWhole)
  const hasBegun = entries.length > 0
  useEffect(() => {
    if (!hasBegun) return
    if (error === undefined) rows.scrollToEnd()
    else rows.scrollToIndex(error, { align: 'center' })
  }, [rows, hasBegun, error])
  const toggle = (id: number): void => {
    const next = new Set(toggled)
    if (!next.delete(id)) next.add(id)
    setToggled(next)
  }
  return (
    <div className={css['conversation']}>
      {/* What scrolls can be scrolled by keys alone (WCAG 2.1.1). */}
      <div
        ref={scroller}
        className={css['scroller']}
        role="region"
        aria-label="Conversation"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget: at }) => setEnd(at.scrollHeight - at.scrollTop - at.clientHeight < END)}
      >
        <div className={css['area']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ key, index, start }) => {
            const entry = entries[index]
            return entry === undefined ? null : (
              <div
                key={key}
                ref={rows.measureElement}
                data-index={index}
                data-error={index === error || undefined}
                className={css['row']}
                style={{ transform: `translateY(${start}px)` }}
              >
                <EntryView
                  entry={entry}
                  isLive={isLive}
                  isToggled={toggled.has(entry.id)}
                  onToggle={() => toggle(entry.id)}
                  answer={index === question ? answer : undefined}
                />
              </div>
            )
          })}
        </div>
      </div>
      {!isEnd && (
        <span className={css['latest']}>
          <Button isSmall onClick={() => rows.scrollToEnd()}>
            <ArrowDown size={SMALL_ICON} aria-hidden /> {isLive ? 'Jump to latest' : 'Jump to the end'}
          </Button>
        </span>
      )}
    </div>
  )
}
