import type { StateWords } from '../model/state-words.ts'
import { SMALL_ICON, STATE_ICONS } from './icons.tsx'
import css from './state-badge.module.css'

interface StateBadgeProps {
  readonly words: StateWords
  /** With a ground of its colour, for what needs a person. */
  readonly isLoud?: boolean
  /** Where there is no room for the word, it is the tooltip. */
  readonly isIconOnly?: boolean
}

/** A state: colour, icon and word together. */
export function StateBadge({ words, isLoud = false, isIconOnly = false }: StateBadgeProps) {
  const Icon = STATE_ICONS[words.icon]
  return (
    <span
      className={css['state']}
      data-tone={words.tone}
      data-loud={isLoud || undefined}
      title={isIconOnly ? words.text : undefined}
    >
      <Icon size={SMALL_ICON} aria-hidden />
      {isIconOnly ? <span className="unseen">{words.text}</span> : words.text}
    </span>
  )
}
