/**
 * Colours of code in a diff: by hunk, when a line of it is drawn, so that what is not looked at costs nothing.
 *
 * A hunk is read as two texts, its old and its new lines. What began before it, such as a comment, is not known and
 * has the colours of code. The text of a line stays as it is, whatever its colours.
 */
import type { DiffFile, DiffLine, DiffSide, Hunk } from '../../model/git-diff.ts'

export type TokenKind = 'comment' | 'string' | 'keyword' | 'number' | 'name' | 'meta'

/** A part of a text in one colour, from and up to which character, in UTF-16 units. */
export interface Token {
  readonly start: number
  readonly end: number
  readonly kind: TokenKind
}

/** Whose language it is, by the ending of a file, without the dot, or by its whole name. */
const LANGUAGES = {
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  cs: 'csharp',
  css: 'css',
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  go: 'go',
  ini: 'ini',
  toml: 'ini',
  cfg: 'ini',
  properties: 'ini',
  java: 'java',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  json: 'json',
  jsonc: 'json',
  kt: 'kotlin',
  kts: 'kotlin',
  makefile: 'makefile',
  mk: 'makefile',
  php: 'php',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  gemfile: 'ruby',
  rakefile: 'ruby',
  rs: 'rust',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  html: 'xml',
  htm: 'xml',
  xml: 'xml',
  svg: 'xml',
  vue: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
} as const satisfies Record<string, string>

export type Language = (typeof LANGUAGES)[keyof typeof LANGUAGES]

const BY_ENDING: ReadonlyMap<string, Language> = new Map(Object.entries(LANGUAGES))

/** The language of a file; undefined where its name tells none. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1))
}

export type ReadTokens = (language: Language, text: string) => readonly Token[]

/** The colours of a line, in order. */
export type TokensOf = (file: DiffFile, line: DiffLine) => readonly Token[]

const NO_TOKENS: readonly Token[] = []

/** As long as the grammars are not there. */
export const noColours: TokensOf = () => NO_TOKENS

/** A hunk with more is made by a program, or is read for what it has and not for how: it has no colours. */
const MAX_LINES = 2_000
const MAX_CHARACTERS = 120_000

/** By side, then by the number of the line. */
type Colours = Readonly<Record<DiffSide, ReadonlyMap<number, readonly Token[]>>>

/** Reads each hunk once, when a line of it is asked for. */
export function createTokensOf(read: ReadTokens): TokensOf {
  const known = new WeakMap<Hunk, Colours>()
  return (file, line) => {
    const side = line.kind === 'deleted' ? 'old' : 'new'
    const [language, number] = [languageOf(file.path), line[side]]
    const hunk = language === undefined || number === undefined ? undefined : hunkAt(file.hunks, side, number)
    if (language === undefined || number === undefined || hunk === undefined) return NO_TOKENS
    const readColours = (): Colours => ({
      old: coloursOf(hunk, 'old', (text) => read(language, text)),
      new: coloursOf(hunk, 'new', (text) => read(language, text)),
    })
    const colours = known.get(hunk) ?? readColours()
    known.set(hunk, colours)
    return colours[side].get(number) ?? NO_TOKENS
  }
}

function hunkAt(hunks: readonly Hunk[], side: DiffSide, number: number): Hunk | undefined {
  return hunks.find(({ oldStart, oldLines, newStart, newLines }) => {
    const [start, count] = side === 'old' ? [oldStart, oldLines] : [newStart, newLines]
    return number >= start && number < start + count
  })
}

function coloursOf({ lines }: Hunk, side: DiffSide, read: (text: string) => readonly Token[]): Colours[DiffSide] {
  const own = lines.filter((line) => line[side] !== undefined)
  const length = own.reduce((sum, { text }) => sum + text.length + 1, 0)
  if (own.length > MAX_LINES || length > MAX_CHARACTERS) return new Map()
  return splitTokens(own, side, read(own.map(({ text }) => text).join('\n')))
}

/** Gives each line its parts of the tokens of all lines. */
function splitTokens(lines: readonly DiffLine[], side: DiffSide, tokens: readonly Token[]): Colours[DiffSide] {
  const split = new Map<number, readonly Token[]>()
  let [position, next] = [0, 0]
  for (const line of lines) {
    const end = position + line.text.length
    const own: Token[] = []
    for (let token = tokens[next]; token !== undefined && token.start < end; token = tokens[next]) {
      const from = Math.max(token.start, position) - position
      const to = Math.min(token.end, end) - position
      if (to > from) own.push({ ...token, start: wholeAt(line.text, from), end: wholeAt(line.text, to) })
      if (token.end > end) break
      next += 1
    }
    const number = line[side]
    if (number !== undefined && own.length > 0) split.set(number, own)
    position = end + 1
  }
  return split
}

/** No end of a part divides a character: half of one cannot be shown. */
function wholeAt(text: string, index: number): number {
  const isInside = /[\udc00-\udfff]/.test(text.charAt(index)) && /[\ud800-\udbff]/.test(text.charAt(index - 1))
  return isInside ? index + 1 : index
}
