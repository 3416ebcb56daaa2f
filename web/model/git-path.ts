/** Paths as git prints them: in quotes with C escapes, if a byte is unusual (git-config(1), core.quotePath). */

const NAMED: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
}

/** The path that git meant; one without quotes stays as it is. */
export function readPath(printed: string): string {
  return printed.startsWith('"') ? unquote(printed).path : printed
}

/**
 * The path in the first line of a file's part. It alone has it where only the mode changed, or where the file is binary
 * or empty; the path is then the same on both sides, which makes `a/x y b/x y` readable.
 */
export function pathFromHeader(line: string): string {
  if (!line.startsWith('diff --git ')) return readPath(line.replace(/^diff (--cc|--combined) /, ''))
  const rest = line.slice('diff --git '.length)
  if (rest.startsWith('"')) return withoutPrefix(unquote(rest).path)
  const half = (rest.length - 1) / 2
  const isTwice =
    rest.charAt(half) === ' ' && withoutPrefix(rest.slice(0, half)) === withoutPrefix(rest.slice(half + 1))
  return withoutPrefix(isTwice ? rest.slice(0, half) : rest)
}

function withoutPrefix(path: string): string {
  return path.replace(/^[ab]\//, '')
}

/** Bytes in octal are those of UTF-8; what is none becomes U+FFFD. */
function unquote(printed: string): { readonly path: string } {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (let i = 1; i < printed.length && printed.charAt(i) !== '"'; i++) {
    const character = printed.charAt(i)
    if (character !== '\\') {
      const whole = String.fromCodePoint(printed.codePointAt(i) ?? 0)
      bytes.push(...encoder.encode(whole))
      i += whole.length - 1
      continue
    }
    const octal = /^[0-3][0-7]{2}/.exec(printed.slice(i + 1, i + 4))?.[0]
    bytes.push(octal === undefined ? (NAMED[printed.charAt(i + 1)] ?? 63) : Number.parseInt(octal, 8))
    i += octal === undefined ? 1 : 3
  }
  return { path: new TextDecoder().decode(Uint8Array.from(bytes)) }
}
