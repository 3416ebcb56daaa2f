import { ChevronDown, ChevronRight } from 'lucide-react'
import type { DiffFile } from '../../model/git-diff.ts'
import { Changes } from '../changes.tsx'
import { SMALL_ICON } from '../icons.tsx'
import { VisibleText } from './code-text.tsx'
import css from './file-header.module.css'
import { showUnseen } from '../../model/hostile-text.ts'
import type { FileView } from './rows.ts'

const WORDS: Readonly<Record<DiffFile['change'], string | undefined>> = {
  added: 'added',
  deleted: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
  modified: undefined,
}

interface FileHeaderProps {
  readonly view: FileView
  readonly onFold: () => void
  readonly onViewed: (isViewed: boolean) => void
}

/** The name of a file, what happened to it, and whether this person has viewed it. */
export function FileHeader({ view, onFold, onViewed }: FileHeaderProps) {
  const { file, isFolded, isViewed } = view
  const Chevron = isFolded ? ChevronRight : ChevronDown
  const word = WORDS[file.change]
  return (
    <div className={css['header']} data-file={file.path}>
      <h2 className={css['name']}>
        <button type="button" className={css['fold']} aria-expanded={!isFolded} onClick={onFold}>
          <Chevron size={SMALL_ICON} aria-hidden />
          <span className={css['path']}>
            {file.from !== undefined && (
              <>
                <Name text={file.from} /> →{' '}
              </>
            )}
            <Name text={file.path} />
          </span>
        </button>
      </h2>
      {word !== undefined && <span className={css['word']}>{word}</span>}
      <Changes insertions={file.added} deletions={file.deleted} />
      <label className={css['viewed']}>
        <input
          type="checkbox"
          aria-label={`Viewed: ${showUnseen(file.path)}`}
          checked={isViewed}
          onChange={({ target }) => onViewed(target.checked)}
        />
        Viewed
      </label>
    </div>
  )
}

/** A path, in which no character turns or hides another. */
export function Name({ text }: { readonly text: string }) {
  return (
    <bdi>
      <VisibleText text={text} />
    </bdi>
  )
}
