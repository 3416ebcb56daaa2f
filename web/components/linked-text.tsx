import { splitAddresses } from '../model/hostile-text.ts'
import { splitMarked } from '../model/marked.ts'

interface LinkedTextProps {
  readonly text: string
  readonly marked?: string | undefined
}

/** Plain text in which http and https addresses are links, and what was searched for is marked. */
export function LinkedText({ text, marked }: LinkedTextProps) {
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
