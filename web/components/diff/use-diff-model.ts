/** What a person has chosen about a diff, and the rows that follow from it. */
import { useMemo, useState } from 'react'
import { asRecord, parseJson } from '../../../core/json.ts'
import type { DiffFile, GitDiff } from '../../model/git-diff.ts'
import { groupBy } from '../../model/group.ts'
import { type LineComment, placeOf } from '../../model/review.ts'
import { type Rows, createRowCache } from './row-cache.ts'
import { type FileView, type Layout, type Place, foldedFrom, LINES_AT_ONCE } from './rows.ts'
import { inTreeOrder } from './tree.ts'

export interface DiffModel extends Rows {
  /** In the order of the tree. */
  readonly files: readonly DiffFile[]
  readonly views: readonly FileView[]
  readonly layout: Layout
  readonly preferences: DiffPreferences
  readonly viewedCount: number
  /** The comment that is being written. */
  readonly open: Place | undefined
  setOpen(place: Place | undefined): void
  choose(change: Partial<DiffPreferences>): void
  fold(path: string, isFolded: boolean): void
  foldAll(isFolded: boolean): void
  setViewed(path: string, isViewed: boolean): void
  /** More lines of a long file. */
  showMore(path: string): void
}

interface ModelOptions {
  readonly executionId: string
  readonly diff: GitDiff
  /** Paths of files that come before the others. */
  readonly first?: readonly string[] | undefined
  readonly comments: readonly LineComment[]
  readonly isWide: boolean
}

function firstBefore(files: readonly DiffFile[], first: readonly string[] = []): readonly DiffFile[] {
  const paths = new Set(first)
  const isFirst = ({ path, from = path }: DiffFile): boolean => paths.has(path) || paths.has(from)
  return first.length === 0 ? files : [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))]
}

/** What holds for a file, unless the person has said otherwise. */
interface Choices {
  readonly folds: ReadonlyMap<string, boolean>
  readonly limits: ReadonlyMap<string, number>
}

const NO_PLACES: readonly Place[] = []

export function useDiffModel({ executionId, diff, first, comments, isWide }: ModelOptions): DiffModel {
  const [preferences, setPreferences] = useState(readPreferences)
  const [viewed, setViewed] = useState(() => readViewed(executionId))
  const [{ folds, limits }, setChoices] = useState<Choices>({ folds: new Map(), limits: new Map() })
  const [open, setOpen] = useState<Place>()
  const [toRows] = useState(createRowCache)
  const files = useMemo(() => firstBefore(inTreeOrder(diff.files), first), [diff, first])
  const places = useMemo(() => groupPlaces(comments, open), [comments, open])
  const layout = preferences.layout ?? (isWide ? 'split' : 'unified')
  const { ignoresWhitespace } = preferences
  const views = useMemo(() => {
    const closedFrom = foldedFrom(files)
    return files.map((file, index): FileView => {
      const isViewed = viewed.has(file.path)
      return {
        file,
        index,
        isViewed,
        isFolded: folds.get(file.path) ?? (isViewed || index >= closedFrom),
        limit: limits.get(file.path) ?? LINES_AT_ONCE,
        // One half of a file that is new or gone would be empty.
        layout: file.change === 'added' || file.change === 'deleted' ? 'unified' : layout,
        ignoresWhitespace,
        places: places.get(file.path) ?? NO_PLACES,
      }
    })
  }, [files, viewed, folds, limits, layout, ignoresWhitespace, places])
  const rows = useMemo(() => toRows(views), [toRows, views])
  const fold = (paths: readonly string[], isFolded: boolean): void =>
    setChoices((choices) => {
      const next = new Map(choices.folds)
      for (const path of paths) next.set(path, isFolded)
      return { ...choices, folds: next }
    })
  return {
    ...rows,
    files,
    views,
    layout,
    preferences,
    viewedCount: views.filter(({ isViewed }) => isViewed).length,
    open,
    setOpen,
    choose(change) {
      const next = { ...preferences, ...change }
      setPreferences(next)
      storePreferences(next)
    },
    fold: (path, isFolded) => fold([path], isFolded),
    foldAll: (isFolded) =>
      fold(
        files.map(({ path }) => path),
        isFolded,
      ),
    setViewed(path, isViewed) {
      const next = new Set(viewed)
      if (isViewed) next.add(path)
      else next.delete(path)
      setViewed(next)
      storeViewed(executionId, next)
      fold([path], isViewed)
    },
    showMore: (path) =>
      setChoices((choices) => {
        const limit = (choices.limits.get(path) ?? LINES_AT_ONCE) + LINES_AT_ONCE
        return { ...choices, limits: new Map(choices.limits).set(path, limit) }
      }),
  }
}

/** Where comments stand, by file: those that are written, and the one that is being written. */
function groupPlaces(comments: readonly LineComment[], open: Place | undefined): ReadonlyMap<string, readonly Place[]> {
  const all = new Map<string, Place>()
  for (const place of [...comments, ...(open === undefined ? [] : [open])]) all.set(placeOf(place), place)
  return groupBy(all.values(), ({ file }) => file)
}

/** How this person reads diffs, and which files they have viewed; kept in this browser. */
interface DiffPreferences {
  /** Left out: by the width of the view. */
  readonly layout?: Layout
  readonly wraps: boolean
  readonly ignoresWhitespace: boolean
  readonly showsTree: boolean
}

const PREFERENCES = 'slipway.diff'
const VIEWED = 'slipway.diff.viewed'
/** Executions whose ticks are kept; the oldest go first. */
const MAX_EXECUTIONS = 30

function readPreferences(): DiffPreferences {
  const stored = asRecord(parseJson(localStorage.getItem(PREFERENCES) ?? ''))
  const layout = (['unified', 'split'] as const).find((name) => name === stored['layout'])
  return {
    ...(layout === undefined ? {} : { layout }),
    wraps: stored['wraps'] !== false,
    ignoresWhitespace: stored['ignoresWhitespace'] === true,
    showsTree: stored['showsTree'] !== false,
  }
}

function storePreferences(preferences: DiffPreferences): void {
  localStorage.setItem(PREFERENCES, JSON.stringify(preferences))
}

function readViewed(executionId: string): ReadonlySet<string> {
  const paths = asRecord(parseJson(localStorage.getItem(VIEWED) ?? ''))[executionId]
  return new Set(Array.isArray(paths) ? paths.filter((path): path is string => typeof path === 'string') : [])
}

function storeViewed(executionId: string, paths: ReadonlySet<string>): void {
  const { [executionId]: _own, ...others } = asRecord(parseJson(localStorage.getItem(VIEWED) ?? ''))
  const kept = Object.entries(others).slice(1 - MAX_EXECUTIONS)
  localStorage.setItem(VIEWED, JSON.stringify(Object.fromEntries([...kept, [executionId, [...paths]]])))
}
