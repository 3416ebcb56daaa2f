import type { StateWords } from '../model/state-words.ts'
import { SMALL_ICON, STATE_ICONS } from './icons.tsx'
import css from './state-badge.module.css'

/** A state: colour, icon and word together. @param isLoud with a ground of its colour, for what needs a person */
export function StateBadge({ words, isLoud = false }: { readonly words: StateWords; readonly isLoud?: boolean }) {
  const Icon = STATE_ICONS[words.icon]
  return (
    <span className={css['state']} data-tone={words.tone} data-loud={isLoud || undefined}>
      <Icon size={SMALL_ICON} aria-hidden />
      {words.text}
    </span>
  )
}
