import { formatCount, countOf } from '../../../core/sentences/amounts.ts'
import { PanelLeft } from 'lucide-react'
import type { GitDiff } from '../../model/git-diff.ts'
import { Changes } from '../changes.tsx'
import { ICON } from '../icons.tsx'
import css from './diff-toolbar.module.css'
import type { DiffModel } from './use-diff-model.ts'

const LAYOUTS = [
  { layout: 'unified', name: 'Unified' },
  { layout: 'split', name: 'Side by side' },
] as const

interface DiffToolbarProps {
  readonly diff: GitDiff
  readonly model: DiffModel
  readonly showsTree: boolean
  readonly onTree: () => void
}

/** How the diff is shown. What is chosen is kept for this person. */
export function DiffToolbar({ diff, model, showsTree, onTree }: DiffToolbarProps) {
  const { preferences, views, viewedCount } = model
  const areAllFolded = views.every(({ isFolded }) => isFolded)
  return (
    <div className={css['bar']} role="toolbar" aria-label="How the diff is shown">
      <button type="button" className={css['icon']} aria-label="Files" aria-pressed={showsTree} onClick={onTree}>
        <PanelLeft size={ICON} aria-hidden />
      </button>
      <span className={css['segments']}>
        {LAYOUTS.map(({ layout, name }) => (
          <button
            key={layout}
            type="button"
            aria-pressed={model.layout === layout}
            onClick={() => model.choose({ layout })}
          >
            {name}
          </button>
        ))}
      </span>
      <Toggle name="Wrap lines" isOn={preferences.wraps} onChange={(wraps) => model.choose({ wraps })} />
      <Toggle
        name="Ignore whitespace"
        isOn={preferences.ignoresWhitespace}
        onChange={(ignoresWhitespace) => model.choose({ ignoresWhitespace })}
      />
      <button type="button" className={css['pill']} onClick={() => model.foldAll(!areAllFolded)}>
        {areAllFolded ? 'Unfold all' : 'Fold all'}
      </button>
      <span className={css['facts']}>
        {countOf(views.length, 'file')} <Changes insertions={diff.added} deletions={diff.deleted} />
      </span>
      <span className={css['facts']}>
        {formatCount(viewedCount)} of {formatCount(views.length)} viewed
      </span>
    </div>
  )
}

interface ToggleProps {
  readonly name: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Toggle({ name, isOn, onChange }: ToggleProps) {
  return (
    <button type="button" className={css['pill']} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {name}
    </button>
  )
}
