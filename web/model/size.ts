const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A size as people read it, in powers of 1000: `812 B`, `4.4 MB`. */
export function formatSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}
