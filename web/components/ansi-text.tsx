import Anser from 'anser'
import type { CSSProperties } from 'react'
import { dropUndrawn } from '../model/ansi.ts'
import { showUnseen, splitAddresses } from '../model/hostile-text.ts'
import { splitMarked } from '../model/marked.ts'
import css from './ansi-text.module.css'

interface AnsiTextProps {
  readonly text: string
  /** Sequences that are in force before the text (carryColours). */
  readonly carried?: string
  /** Marked wherever it stands, in capitals or not. */
  readonly marked?: string | undefined
}

/** A line of a terminal with its colours, made readable on both grounds; addresses in it are links. */
export function AnsiText({ text, carried = '', marked }: AnsiTextProps) {
  const drawn = carried + dropUndrawn(text)
  if (!drawn.includes('\u001b')) return <LinkedText text={showUnseen(drawn)} marked={marked} />
  const parts = Anser.ansiToJson(drawn, { json: true, remove_empty: true })
  return parts.map((part, index) => (
    <span key={index} className={css['part']} data-look={lookOf(part)} style={coloursOf(part)}>
      <LinkedText text={showUnseen(part.content)} marked={marked} />
    </span>
  ))
}

/** Anser's types say that there is always a colour; without one it is null. */
type Part = Omit<ReturnType<typeof Anser.ansiToJson>[number], 'fg' | 'bg'> & {
  readonly fg: string | null
  readonly bg: string | null
}

function lookOf({ decorations, fg, bg }: Part): string | undefined {
  const looks = [...decorations, ...(fg === null ? [] : ['fg']), ...(bg === null ? [] : ['bg'])]
  return looks.length === 0 ? undefined : looks.join(' ')
}

interface Colours extends CSSProperties {
  readonly '--ansi-fg'?: string
  readonly '--ansi-bg'?: string
}

function coloursOf({ fg, bg }: Part): Colours {
  return {
    ...(fg === null ? {} : { '--ansi-fg': `rgb(${fg})` }),
    ...(bg === null ? {} : { '--ansi-bg': `rgb(${bg})` }),
  }
}

interface LinkedTextProps {
  readonly text: string
  readonly marked?: string | undefined
}

/** Plain text in which http and https addresses are links, and what was searched for is marked. */
function LinkedText({ text, marked }: LinkedTextProps) {
  return splitAddresses(text).map(({ text: part, href }, index) =>
    href === undefined ? (
      <Marked key={index} text={part} marked={marked} />
    ) : (
      <a key={index} href={href} target="_blank" rel="noopener noreferrer">
        <Marked text={part} marked={marked} />
      </a>
    ),
  )
}

function Marked({ text, marked }: LinkedTextProps) {
  if (marked === undefined || marked === '') return text
  return splitMarked(text, marked).map(({ text: part, isMatch }, index) =>
    isMatch ? <mark key={index}>{part}</mark> : part,
  )
}
