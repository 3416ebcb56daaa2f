import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** One statement of the contract, as test/contract/rows.yaml has it. */
export interface ContractRow {
  /** Section, table and row: `3.task.accept`. */
  readonly id: string
  /** In short. */
  readonly says: string
  /** The rules of docs/specification.md that say it: `§4.2, §8.13`. */
  readonly rule?: string
  /** Other tests that prove it or a part: a path and, after ` › `, words of the title. Alone where another row says the same. */
  readonly also?: readonly string[]
  /** Why nothing proves it yet; a row has tests or this. */
  readonly missing?: string
}

export interface ContractTest {
  readonly row: string
  readonly title: string
  /** Relative to the repository's root. */
  readonly path: string
}

export interface Contract {
  readonly rows: readonly ContractRow[]
  readonly tests: readonly ContractTest[]
}

/** `row('<id>', '<title>', …`. */
const TEST = /\brow\(\s*'([^']+)',\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$\\]*)`),/g
const CALL = /(?<![.\w])row\(/g

/**
 * The rows of the contract below `root`, and the tests that its sources name after them.
 *
 * Read from the sources, not from a run: which tests ran before, and whether they passed, makes no difference.
 *
 * @throws Error listing rows without a test, tests of unknown rows, and references to tests that are not there
 */
export function readContract(root: string): Contract {
  const folder = join(root, 'test', 'contract')
  const rows = readRows(join(folder, 'rows.yaml'))
  const files = readdirSync(folder).filter((file) => /^section-.*\.test\.ts$/.test(file))
  const tests = files.toSorted().flatMap((file) => readTests(root, `test/contract/${file}`))
  const faults = findFaults(root, { rows, tests })
  if (faults.length > 0) throw new Error(`test/contract: ${faults.join('; ')}`)
  return { rows, tests }
}

/** The rows of the data file alone. */
export function readRows(path: string): ContractRow[] {
  const rows: ContractRow[] = parse(readFileSync(path, 'utf8'))
  return rows
}

function readTests(root: string, path: string): ContractTest[] {
  const source = readFileSync(join(root, path), 'utf8')
  const found = [...source.matchAll(TEST)]
  if (found.length !== (source.match(CALL)?.length ?? 0))
    throw new Error(`${path}: row('…', '…', …) needs an id and a title written out`)
  return found.map(([, row = '', single, double, template]) => ({
    row,
    title: (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1'),
    path,
  }))
}

function findFaults(root: string, { rows, tests }: Contract): string[] {
  const ids = rows.map(({ id }) => id)
  const proved = new Set(tests.map(({ row }) => row))
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} stands twice`),
    ...rows
      .filter(({ id, missing, also }) => missing === undefined && also === undefined && !proved.has(id))
      .map(({ id }) => `${id} has no test`),
    ...rows.filter(({ id, missing }) => missing !== undefined && proved.has(id)).map(({ id }) => `${id} has a test`),
    ...[...proved].filter((id) => !ids.includes(id)).map((id) => `no row is called ${id}`),
    ...rows.flatMap(({ also = [] }) => also.filter((reference) => !isThere(root, reference))),
  ]
}

/** Whether the file that a reference names has its words. */
function isThere(root: string, reference: string): boolean {
  const [path = '', words = ''] = reference.split(' › ')
  return readFileSync(join(root, path), 'utf8').includes(words)
}
