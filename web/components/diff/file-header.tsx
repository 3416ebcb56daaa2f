import { ChevronDown, ChevronRight } from 'lucide-react'
import type { DiffFile } from '../../model/git-diff.ts'
import { SMALL_ICON } from '../icons.tsx'
import { VisibleText } from './code-text.tsx'
import css from './file-header.module.css'
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
      {word !== undefined && <span className={css['word']}>{word}</span>}
      <Counts file={file} />
      <label className={css['viewed']}>
        <input type="checkbox" checked={isViewed} onChange={({ target }) => onViewed(target.checked)} />
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

/** Added and deleted lines. */
export function Counts({ file }: { readonly file: Pick<DiffFile, 'added' | 'deleted'> }) {
  return (
    <span className={css['counts']}>
      {file.added > 0 && <span className={css['added']}>+{file.added.toLocaleString('en')}</span>}
      {file.deleted > 0 && <span className={css['deleted']}>−{file.deleted.toLocaleString('en')}</span>}
    </span>
  )
}
