/** What the groups of figures share: how much to do, a server, a floor, and turns between the two. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, median } from './figure.ts'
import { type Program, benchProgram, SLIPWAY, startProgram } from './program.ts'

/** How much to do. A group keeps how many of its own things that is beside its code, as a value for each `size`. */
export interface Effort {
  /** The full measure, or enough to see that it runs. */
  readonly size: 'full' | 'quick'
  readonly repeats: number
  /** Of load, for each rate. */
  readonly seconds: number
}

/**
 * What each file of bench/figures/ exports as `measure`: related figures, each beside its floor. Whatever it starts it
 * stops; the quick ones of all groups together stay below a minute.
 */
export type Measure = (effort: Effort) => Promise<Figure[]>

/** A folder of its own, gone afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The whole embedded stack, as it ships, with its data in `folder`; `args` are further ones of the command line. */
export async function withServer<T>(
  folder: string,
  use: (server: Program) => Promise<T>,
  args: readonly string[] = [],
): Promise<T> {
  const server = await startProgram([SLIPWAY, 'serve', '--listen', '127.0.0.1:0', '--data-dir', folder, ...args])
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

/** Medians of what both took, or of their rates. */
export interface Pair {
  readonly ours: number
  readonly floor: number
}

/** Medians of both, measured in turns: what else the machine does meanwhile then slows both alike. */
export async function alternate(
  times: number,
  ours: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<Pair> {
  const values: Pair[] = []
  for (let i = 0; i < times; i++) values.push({ ours: await ours(), floor: await floor() })
  return { ours: median(values.map((pair) => pair.ours)), floor: median(values.map((pair) => pair.floor)) }
}

/** The floor serves exactly the bytes that `url` answers now. */
export async function withFloor<T>(url: string, folder: string, measure: (url: string) => Promise<T>): Promise<T> {
  const file = join(folder, 'floor.json')
  await writeFile(file, Buffer.from(await (await fetch(url)).arrayBuffer()))
  if ((await readFile(file)).length < 3) throw new Error(`${url} answered nothing to compare with`)
  const floor = await startProgram([benchProgram('floor-koa'), file])
  try {
    return await measure(floor.url)
  } finally {
    await floor.stop()
  }
}

/** The median of what is measured so many times. */
export async function medianOf(times: number, measureOne: () => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let i = 0; i < times; i++) values.push(await measureOne())
  return median(values)
}
