/** Amounts as people read them, in the same words on every surface: counts, sizes, costs and times. */

/** Made once: to make one takes longer than to render the row that shows it. */
const NUMBER = new Intl.NumberFormat('en-US')
const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `1,204`. */
export function formatCount(count: number): string {
  return NUMBER.format(count)
}

/** `1 file`, `1,204 files`. @param many where that is not `one` with an s */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `3 files changed, +10 -2`. */
export function formatChanges(changes: {
  readonly files: number
  readonly insertions: number
  readonly deletions: number
}): string {
  const { files, insertions, deletions } = changes
  return `${countOf(files, 'file')} changed, +${formatCount(insertions)} -${formatCount(deletions)}`
}

const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `512 B`, `3.4 KiB`, `4 GiB`. */
export function formatSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${NUMBER.format(Math.round((10 * bytes) / 1024 ** power) / 10)} ${SIZE_UNITS[power]}`
}

/** US dollars: `$3.05`, `< $0.01`. */
export function formatUSD(amount: number): string {
  return amount > 0 && amount < 0.005 ? '< $0.01' : DOLLARS.format(amount)
}

/** What was spent; undefined where nothing was. */
export function formatCost(costUSD: number | undefined): string | undefined {
  return costUSD === undefined || costUSD === 0 ? undefined : formatUSD(costUSD)
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long something takes or has taken, as far as it tells something: `42s`, `7m05s`, `3h07m`, `12d`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < MINUTE || seconds >= DAY) return formatAge(ms)
  const [whole, rest] = seconds < HOUR ? [MINUTE, 1] : [HOUR, MINUTE]
  return `${formatAge(ms)}${String(Math.floor((seconds % whole) / rest)).padStart(2, '0')}${whole === MINUTE ? 's' : 'm'}`
}

/** How long ago something was, in the largest unit alone: `42s`, `7m`, `3h`, `12d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < MINUTE) return `${seconds}s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m`
  return seconds < DAY ? `${Math.floor(seconds / HOUR)}h` : `${Math.floor(seconds / DAY)}d`
}
