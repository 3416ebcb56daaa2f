import { utf8Length } from './text.ts'

/** Longest name of a file on the file systems we know, in bytes of UTF-8 (limits.h, NAME_MAX). */
const MAX_NAME_BYTES = 255

/**
 * Why a name cannot be that of a drop file; undefined when it can. One path segment, no leading dot, at most 255 bytes
 * (specification §8.28), readable as UTF-8 and without control characters. A backslash counts as a separator: to
 * half of those who download the file it is one.
 */
export function findDropNameProblem(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (/[/\\]/.test(name)) return 'must be one path segment'
  if (name.startsWith('.')) return 'must not begin with a dot'
  if (/\p{Cc}/u.test(name)) return 'must not hold control characters'
  // What a decoder puts where bytes are not UTF-8; a lone half of a surrogate pair has no bytes at all.
  if (/[\uFFFD\p{Cs}]/u.test(name)) return 'must be UTF-8'
  if (utf8Length(name) > MAX_NAME_BYTES) return `must be at most ${MAX_NAME_BYTES} bytes`
  return undefined
}
