import type { TodoItem } from '../../../core/transcript/events.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { SMALL_ICON, STATE_ICONS } from '../icons.tsx'
import css from './conversation.module.css'

const SIGNS = {
  completed: { icon: 'done', tone: 'done', words: 'done' },
  in_progress: { icon: 'play', tone: 'run', words: 'under way' },
  pending: { icon: 'clock', tone: 'wait', words: 'to do' },
} as const

/** Drawn of a list: an agent writes it, and nobody reads more. */
const SHOWN = 200

/** The agent's own list of steps. */
export function Plan({ items }: { readonly items: readonly TodoItem[] }) {
  return (
    <ul className={css['plan']}>
      {items.slice(0, SHOWN).map(({ text, state }, index) => {
        const { icon, tone, words } = SIGNS[state]
        const Icon = STATE_ICONS[icon]
        return (
          <li key={index} data-state={state}>
            <i data-tone={tone}>
              <Icon size={SMALL_ICON} role="img" aria-label={words} />
            </i>
            <span>{showUnseen(text)}</span>
          </li>
        )
      })}
    </ul>
  )
}
