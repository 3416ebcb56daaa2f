/** The regular expressions that stand in the source, for tests that try each of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface SourcePattern {
  /** `lib/git-url.ts:28`. */
  readonly place: string
  readonly pattern: RegExp
}

/** Every literal of the given folders. */
export function findPatterns(folders: readonly string[]): SourcePattern[] {
  return folders.flatMap((folder) =>
    sourcesBelow(join(ROOT, folder)).flatMap((path) =>
      literalsOf(readFileSync(path, 'utf8')).map(({ source, flags, line }) => ({
        place: `${relative(ROOT, path)}:${line}`,
        pattern: new RegExp(source, flags),
      })),
    ),
  )
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourcesBelow(path)
    return path.endsWith('.ts') ? [path] : []
  })
}

/** What may stand before a literal, where a slash behind a value would be a division. */
const OPENS = new Set('(,=:[!&|?{};+-*%~^<>\n')

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)|\s+|\w+|[\s\S]/y

/** Reads a source token by token, so that strings, comments and divisions are not taken for literals. */
function literalsOf(text: string): { source: string; flags: string; line: number }[] {
  const found: { source: string; flags: string; line: number }[] = []
  const token = new RegExp(TOKEN)
  let [before, line] = ['\n', 1]
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    let [whole] = match
    const [, source, flags = ''] = match
    if (source !== undefined) {
      if (OPENS.has(before) || before === 'return') found.push({ source, flags, line })
      else {
        // A division: only its sign is taken.
        whole = '/'
        token.lastIndex = match.index + 1
      }
    }
    // What stands in a template is code again.
    if (whole.startsWith('`'))
      for (const [, code = ''] of whole.matchAll(/\$\{([^{}]*)\}/g))
        found.push(...literalsOf(`(${code}`).map((literal) => ({ ...literal, line })))
    line += whole.split('\n').length - 1
    if (!/^(?:\s|\/[/*])/.test(whole)) before = /^\w/.test(whole) ? whole : (whole.at(-1) ?? '')
  }
  return found
}
