/** Trees of files made by chance, and what git says of two of them. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { type DiffFile, type GitDiff, parseInSteps } from '../../../web/model/git-diff.ts'
import { gitIn } from '../../helpers/repository.ts'

export interface Entry {
  readonly text: string
  readonly isExecutable: boolean
}
export type Tree = Readonly<Record<string, Entry>>

const line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-- gone',
    '++ come',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '\\ No newline',
    '\tx',
    'é',
    '\u202e',
  ),
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\n\0]/g, '')),
)
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, isEnded]) => lines.join(end) + (isEnded && lines.length > 0 ? end : ''))
const entry = fc.record({ text, isExecutable: fc.boolean() })
const path = fc.constantFrom(
  'a',
  'b.ts',
  'with space',
  'ünï',
  'q"uote',
  'back\\slash',
  'tab\there',
  'x b',
  'd/e/f',
  'a b/a b',
)
export const tree: fc.Arbitrary<Tree> = fc.dictionary(path, entry, { maxKeys: 6 })

const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** What git says of two trees. */
export function diffOf(before: Tree, now: Tree): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-diff-'))
  folders.push(folder)
  gitIn(folder, 'init', '--quiet')
  const commit = (files: Tree): void => {
    gitIn(folder, 'rm', '-r', '--quiet', '--force', '--ignore-unmatch', '.')
    for (const [name, { text, isExecutable }] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
      chmodSync(join(folder, name), isExecutable ? 0o755 : 0o644)
    }
    gitIn(folder, '-c', 'core.autocrlf=false', 'add', '--all', '--force')
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message', 'x')
  }
  commit(before)
  commit(now)
  // Not what the helper answers: it trims, and the last line may be an empty context line.
  const output = join(folder, '.git', 'changes.diff')
  gitIn(folder, 'diff', '--full-index', `--output=${output}`, 'HEAD~', 'HEAD', '--')
  return readFileSync(output, 'utf8')
}

/** The lines of a text, and whether the last one is ended. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The new text, made from the old one and the hunks. */
export function apply(before: string, file: DiffFile): readonly string[] {
  const old = linesOf(before)
  const now: string[] = []
  let next = 0
  for (const hunk of file.hunks) {
    // A hunk without old lines names the line before it.
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1
    now.push(...old.slice(next, start))
    next = start
    for (const line of hunk.lines) {
      if (line.kind !== 'added') assert.equal(old[next++], line.text)
      if (line.kind !== 'deleted') {
        now.push(line.text)
        assert.equal(line.new, now.length)
      }
      if (line.kind === 'deleted') assert.equal(line.old, next)
    }
  }
  return [...now, ...old.slice(next)]
}

/** The whole diff at once. */
export function parseGitDiff(text: string): GitDiff {
  const steps = parseInSteps(text)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}
