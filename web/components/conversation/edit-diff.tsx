import { useState } from 'react'
import { editLines } from '../../model/edit-lines.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { shortPath } from '../../model/tool-words.ts'
import type { Edit } from '../../model/transcript.ts'
import { Button } from '../button.tsx'
import css from './conversation.module.css'

const SIGNS = { kept: ' ', added: '+', removed: '-' } as const
/** Lines of a longer change that are shown at first. */
const SHOWN = 40

/** A change of a file as the agent asked for it. @param isNamed with its path, where a tool changes several files */
export function EditDiff({ edit, isNamed }: { readonly edit: Edit; readonly isNamed: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const lines = editLines(edit.before, edit.after)
  const shown = isWhole ? lines : lines.slice(0, SHOWN)
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
