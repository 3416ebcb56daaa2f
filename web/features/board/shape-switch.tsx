import { List, SquareKanban } from 'lucide-react'
import { SMALL_ICON } from '../../components/icons.tsx'
import type { Shape } from './search.ts'
import css from './shape-switch.module.css'

const SHAPE_WORDS = [
  { shape: 'board', label: 'Board', Icon: SquareKanban },
  { shape: 'list', label: 'List', Icon: List },
] as const

/** The same stories as a board or as a list. */
export function ShapeSwitch({ shape, onChange }: { readonly shape: Shape; readonly onChange: (shape: Shape) => void }) {
  return (
    <div className={css['switch']} role="group" aria-label="Show the stories as">
      {SHAPE_WORDS.map(({ shape: own, label, Icon }) => (
        <button key={own} aria-pressed={shape === own} onClick={() => onChange(own)}>
          <Icon size={SMALL_ICON} aria-hidden />
          {label}
        </button>
      ))}
    </div>
  )
}
