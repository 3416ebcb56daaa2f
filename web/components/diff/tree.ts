/** The files of a diff as a tree of folders. */
import type { DiffFile } from '../../model/git-diff.ts'

export type TreeRow =
  | { readonly kind: 'folder'; readonly path: string; readonly name: string; readonly depth: number }
  | { readonly kind: 'file'; readonly file: DiffFile; readonly name: string; readonly depth: number }

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: DiffFile[]
}

export interface TreeOptions {
  /** Text in the path of a file; "" shows all. */
  readonly filter: string
  /** Paths of folders that are closed. */
  readonly closed: ReadonlySet<string>
}

/** Rows from the top: folders before files, by name; a folder with nothing but one folder is joined with that. */
export function treeRows(files: readonly DiffFile[], { filter, closed }: TreeOptions): readonly TreeRow[] {
  const wanted = filter.trim().toLowerCase()
  const root: Folder = { folders: new Map(), files: [] }
  for (const file of files) if (wanted === '' || file.path.toLowerCase().includes(wanted)) insert(root, file)
  const rows: TreeRow[] = []
  addRows(rows, root, { path: '', depth: 0, closed })
  return rows
}

/** As people count: 2 before 10. */
const BY_NAME = new Intl.Collator('en', { numeric: true })

/** Below this depth the rest of the path is one name, so that a hostile path causes no deep recursion. */
const MAX_DEPTH = 40

function insert(root: Folder, file: DiffFile): void {
  const names = file.path.split('/')
  let folder = root
  for (const name of names.slice(0, -1).slice(0, MAX_DEPTH)) {
    const next: Folder = folder.folders.get(name) ?? { folders: new Map(), files: [] }
    folder.folders.set(name, next)
    folder = next
  }
  folder.files.push(file)
}

interface Place {
  readonly path: string
  readonly depth: number
  readonly closed: ReadonlySet<string>
}

function addRows(rows: TreeRow[], folder: Folder, { path, depth, closed }: Place): void {
  for (const [name, inner] of [...folder.folders].sort(([a], [b]) => BY_NAME.compare(a, b))) {
    const { folder: last, name: joined } = joinSingle(inner, name)
    const own = path === '' ? joined : `${path}/${joined}`
    rows.push({ kind: 'folder', path: own, name: joined, depth })
    if (!closed.has(own)) addRows(rows, last, { path: own, depth: depth + 1, closed })
  }
  for (const file of folder.files.sort((a, b) => BY_NAME.compare(a.path, b.path)))
    rows.push({ kind: 'file', file, name: file.path.slice(path === '' ? 0 : path.length + 1), depth })
}

function joinSingle(folder: Folder, name: string): { readonly folder: Folder; readonly name: string } {
  const [only] = folder.folders
  if (folder.files.length > 0 || folder.folders.size !== 1 || only === undefined) return { folder, name }
  return joinSingle(only[1], `${name}/${only[0]}`)
}

/** The files in the order of the tree, which is that of the whole view. */
export function inTreeOrder(files: readonly DiffFile[]): readonly DiffFile[] {
  const rows = treeRows(files, { filter: '', closed: new Set() })
  return rows.flatMap((row) => (row.kind === 'file' ? [row.file] : []))
}
