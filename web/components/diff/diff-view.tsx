import { useRef, useState } from 'react'
import { formatSize } from '../../../core/sentences/amounts.ts'
import type { DiffState, LoadedDiff } from '../../model/diff-state.ts'
import { type LineComment, withComment } from '../../model/review.ts'
import { EmptyState, ErrorState, Skeleton } from '../view-states.tsx'
import { DiffList } from './diff-list.tsx'
import { DiffToolbar } from './diff-toolbar.tsx'
import css from './diff-view.module.css'
import { FileTree } from './file-tree.tsx'
import { LostComments } from './lost-comments.tsx'
import type { DiffListHandle } from './use-diff-cursor.ts'
import { SyntaxContext, useSyntax } from './use-syntax.ts'
import { useDiffModel } from './use-diff-model.ts'
import { useWidth } from './use-width.ts'

export interface DiffViewProps {
  /** The ticks "viewed" are kept for it. */
  readonly executionId: string
  /** From `useExecutionDiff(executionId)`. */
  readonly state: DiffState
  /** Kept by whoever shows this, as a draft of what is to be different: see `toComment`. */
  readonly comments: readonly LineComment[]
  /** Called at each change of a text, so that nothing that was typed is lost. */
  readonly onCommentsChange: (comments: readonly LineComment[]) => void
  /** Comments on the diffs of other executions. */
  readonly lost?: readonly LineComment[]
  readonly onLostChange?: (lost: readonly LineComment[]) => void
  /** No comment can be written: the person may not decide, or there is nothing to decide. */
  readonly isReadOnly: boolean
}

/**
 * The changes of an execution, as a review reads them. It scrolls by itself and fills its parent, which must have a
 * height of its own (a grid or flex item with `min-height: 0`). At most one is on a page: it listens for keys.
 */
export function DiffView({ state, ...rest }: DiffViewProps) {
  switch (state.kind) {
    case 'loading':
      return <Skeleton rows={6} label="The diff is being read" />
    case 'absent':
      return (
        <EmptyState title="There is no diff yet">
          When an execution ends well, what it changed in the repository is shown here, against the base of the task’s
          first run.
        </EmptyState>
      )
    case 'failed':
      return <ErrorState title="The diff could not be read" error={state.error} onRetry={state.retry} />
    case 'loaded':
      if (
        state.diff.files.length === 0 &&
        rest.comments.length === 0 &&
        (rest.lost ?? []).length === 0 &&
        state.note === undefined
      )
        return <EmptyState title="Nothing changed">The execution left all files as they were.</EmptyState>
      return <Loaded key={rest.executionId} {...rest} loaded={state} />
    default:
      return state satisfies never
  }
}

const NO_COMMENTS = [] as const

/** The same where there is nothing to decide about. */
export function ReadOnlyDiff(shown: Pick<DiffViewProps, 'executionId' | 'state'>) {
  return <DiffView {...shown} comments={NO_COMMENTS} onCommentsChange={() => undefined} isReadOnly />
}

interface LoadedProps extends Omit<DiffViewProps, 'state'> {
  readonly loaded: LoadedDiff
}

/** Below this the two halves of a line are too narrow to be read. In pixels. */
const WIDE = 1_000
/** Below this the tree stands above the lines. In pixels. */
const NARROW = 700

/** Waits for its width, by which the rows are made: of a large diff it takes long to make them twice. */
function Loaded(props: LoadedProps) {
  const [frame, width] = useWidth()
  return (
    <div ref={frame} className={css['diff']} data-narrow={(width !== undefined && width < NARROW) || undefined}>
      {width !== undefined && <Measured {...props} width={width} />}
    </div>
  )
}

interface MeasuredProps extends LoadedProps {
  readonly width: number
}

function Measured(props: MeasuredProps) {
  const { executionId, loaded, comments, onCommentsChange, lost, onLostChange, isReadOnly, width } = props
  const { diff } = loaded
  const tokensOf = useSyntax()
  const list = useRef<DiffListHandle>(null)
  const model = useDiffModel({ executionId, diff, first: loaded.first, comments, isWide: width >= WIDE })
  const { views, preferences, choose } = model
  const commented = new Set(comments.map(({ file }) => file))
  const viewed = new Set(views.filter(({ isViewed }) => isViewed).map(({ file }) => file.path))
  const isNarrow = width < NARROW
  // On a phone the tree takes the place of the lines, so there it opens when it is asked for.
  const [isTreeOver, setTreeOver] = useState(false)
  const showsTree = isNarrow ? isTreeOver : preferences.showsTree
  const toggleTree = (): void => (isNarrow ? setTreeOver(!isTreeOver) : choose({ showsTree: !showsTree }))
  return (
    <>
      <DiffToolbar {...{ diff, model, showsTree }} onTree={toggleTree} />
      <CutNote loaded={loaded} />
      <LostComments
        label="Comments on files that this diff does not have"
        why="is not in this diff"
        lost={comments.filter(({ file }) => diff.files.every(({ path }) => path !== file))}
        onDelete={isReadOnly ? undefined : (comment) => onCommentsChange(comments.filter((other) => other !== comment))}
      />
      <LostComments
        label="Comments on other work, which are not sent"
        why="of other work, not sent"
        lost={lost ?? []}
        onDelete={(comment) => onLostChange?.((lost ?? []).filter((other) => other !== comment))}
      />
      <div className={css['body']} data-tree={showsTree || undefined}>
        {showsTree && (
          <FileTree
            files={model.files}
            viewed={(path) => viewed.has(path)}
            commented={(path) => commented.has(path)}
            onChoose={(path) => {
              setTreeOver(false)
              list.current?.showFile(path)
            }}
          />
        )}
        <SyntaxContext value={tokensOf}>
          <DiffList
            handle={list}
            onComment={(comment) => onCommentsChange(withComment(comments, comment))}
            {...{ model, comments, isReadOnly }}
          />
        </SyntaxContext>
      </div>
    </>
  )
}

/** Says that this is not the whole diff, and where that is. */
function CutNote({ loaded: { diff, isPartial, sizeBytes, address, note } }: { readonly loaded: LoadedDiff }) {
  if (!isPartial && diff.cut === undefined && note === undefined) return null
  return (
    <p className={css['cut']} role="note">
      {note !== undefined && `${note} `}
      {isPartial && `This diff has ${formatSize(sizeBytes)}; its beginning is shown. `}
      {!isPartial && diff.cut !== undefined && `This diff was ${diff.cut}. `}
      <a href={address} download>
        Download it
      </a>
    </p>
  )
}
