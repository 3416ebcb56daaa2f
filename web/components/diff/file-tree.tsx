import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight, MessageSquare } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { DiffFile } from '../../model/git-diff.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { Changes } from '../changes.tsx'
import { SMALL_ICON } from '../icons.tsx'
import { Name } from './file-header.tsx'
import css from './file-tree.module.css'
import { type TreeRow, treeRows } from './tree.ts'

interface FileTreeProps {
  readonly files: readonly DiffFile[]
  readonly viewed: (path: string) => boolean
  readonly commented: (path: string) => boolean
  readonly onChoose: (path: string) => void
}

const ROW = 26

/** The changed files by folder; pressing one shows it. */
export function FileTree({ files, viewed, commented, onChoose }: FileTreeProps) {
  const [filter, setFilter] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const wanted = useDeferredValue(filter)
  const rows = useMemo(() => treeRows(files, { filter: wanted, closed }), [files, wanted, closed])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
  })
  const toggle = (path: string): void => {
    const next = new Set(closed)
    if (!next.delete(path)) next.add(path)
    setClosed(next)
  }
  return (
    <nav className={css['tree']} aria-label="Changed files">
      <input
        type="search"
        className={css['filter']}
        aria-label="Filter the files"
        placeholder="Filter files…"
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {rows.length === 0 && <p className={css['none']}>No file has this in its name.</p>}
      <div ref={scroller} className={css['scroller']}>
        <div className={css['rows']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <div key={key} className={css['row']} style={{ transform: `translateY(${start}px)` }}>
                {row.kind === 'folder' ? (
                  <FolderRow row={row} isClosed={closed.has(row.path)} onToggle={() => toggle(row.path)} />
                ) : (
                  <FileRow
                    row={row}
                    isViewed={viewed(row.file.path)}
                    isCommented={commented(row.file.path)}
                    onChoose={onChoose}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </nav>
  )
}

const INDENT = 14

interface FolderRowProps {
  readonly row: Extract<TreeRow, { kind: 'folder' }>
  readonly isClosed: boolean
  readonly onToggle: () => void
}

function FolderRow({ row, isClosed, onToggle }: FolderRowProps) {
  const Chevron = isClosed ? ChevronRight : ChevronDown
  return (
    <button
      type="button"
      className={css['folder']}
      style={{ paddingLeft: 6 + row.depth * INDENT }}
      title={row.path}
      aria-expanded={!isClosed}
      onClick={onToggle}
    >
      <Chevron size={SMALL_ICON} aria-hidden />
      <span className={css['name']}>
        <Name text={row.name} />
      </span>
    </button>
  )
}

interface FileRowProps {
  readonly row: Extract<TreeRow, { kind: 'file' }>
  readonly isViewed: boolean
  readonly isCommented: boolean
  readonly onChoose: (path: string) => void
}

function FileRow({ row, isViewed, isCommented, onChoose }: FileRowProps) {
  const { file, name, depth } = row
  return (
    <button
      type="button"
      className={css['file']}
      style={{ paddingLeft: 24 + depth * INDENT }}
      title={showUnseen(file.path)}
      data-viewed={isViewed || undefined}
      onClick={() => onChoose(file.path)}
    >
      <span className={css['name']} data-change={file.change}>
        <Name text={name} />
      </span>
      {isCommented && <MessageSquare size={SMALL_ICON} aria-label="has comments" />}
      {isViewed && <span className="unseen">viewed</span>}
      <Changes insertions={file.added} deletions={file.deleted} />
    </button>
  )
}
