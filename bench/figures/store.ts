/** The embedded store: does a point read stay what it was when the store grows, and what does durability cost? */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../../embedded/storage/folder.ts'
import type { Store } from '../../embedded/storage/backend.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate } from '../measure.ts'

const VALUE = JSON.stringify({
  metadata: { name: 'x' },
  spec: { title: 'A task of ordinary size', text: 'words '.repeat(300) },
})
/** In the store that a point read is timed in. */
const OBJECTS = { full: 100_000, quick: 10_000 }
const SMALL = 1000
const BATCH = 1000
const READS = 50_000
/** In a turn. */
const WRITES = 100

/** Beside a store a hundredth as large, and beside one write and fdatasync of the same bytes. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const objects = OBJECTS[size]
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-store-'))
  const { store, close } = await openFolder(folder)
  try {
    await fill(store, 0, SMALL)
    const small = microsecondsPerRead(store, SMALL)
    await fill(store, SMALL, objects)
    const large = microsecondsPerRead(store, objects)
    let turns = 0
    const { ours: write, floor: sync } = await alternate(
      repeats,
      () => millisecondsPerWrite(store, `/written/${(turns += 1)}`),
      async () => millisecondsPerSync(folder),
    )
    return [
      {
        name: `point read, store of ${objects.toLocaleString('en')} objects`,
        unit: 'µs',
        ours: large,
        floor: { what: `store of ${SMALL.toLocaleString('en')} objects`, value: small },
        aim: { atMost: 2, of: 'ratio' },
      },
      {
        name: 'durable write, one after another',
        unit: 'ms',
        ours: write,
        floor: { what: 'write and fdatasync of the same bytes', value: sync },
        aim: { atMost: 3, of: 'ratio' },
      },
    ]
  } finally {
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function keyOf(n: number): string {
  return `/tasks/default/task-${String(n).padStart(7, '0')}`
}

async function fill(store: Store, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += BATCH) {
    const keys = Array.from({ length: Math.min(BATCH, to - start) }, (_, i) => keyOf(start + i))
    await store.write(keys.map((key) => ({ type: 'put', key, expected: 0, render: () => VALUE })))
  }
}

/** Keys spread over the whole store, in an order that no cache can guess but every run repeats. */
function microsecondsPerRead(store: Store, objects: number): number {
  const startedAt = performance.now()
  for (let i = 0; i < READS; i++) {
    if (store.get(keyOf((i * 7919) % objects)) === undefined) throw new Error(`object ${i} is missing`)
  }
  return ((performance.now() - startedAt) * 1000) / READS
}

async function millisecondsPerWrite(store: Store, prefix: string): Promise<number> {
  const startedAt = performance.now()
  for (let i = 0; i < WRITES; i++) {
    await store.write([{ type: 'put', key: `${prefix}/${i}`, expected: 0, render: () => VALUE }])
  }
  return (performance.now() - startedAt) / WRITES
}

function millisecondsPerSync(folder: string): number {
  const file = openSync(join(folder, 'floor'), 'w')
  const startedAt = performance.now()
  for (let i = 0; i < WRITES; i++) {
    writeSync(file, VALUE)
    fdatasyncSync(file)
  }
  const elapsed = performance.now() - startedAt
  closeSync(file)
  return elapsed / WRITES
}
