import { findDirectionProblem } from '../bidi-controls.ts'
import { BRANCH_PREFIX } from '../names.ts'
import { utf8Length } from '../text.ts'

/** Name of the string format in REST schemas; lib/validate.ts checks it. */
export const BRANCH_NAME_FORMAT = 'branch-name'

const SPECIAL = /[~^:?*[\\]/u

/** A part is the name of a file, of 255 bytes at most, and git adds `.lock`. */
const MAX_PART_BYTES = 250

/** What git refuses in a branch's name, and what reads as another one, and how to say it. The CRD of Story has the same rules in CEL. */
const RULES: readonly { readonly isBroken: (name: string) => boolean; readonly problem: string }[] = [
  { isBroken: (name) => name.startsWith('-'), problem: 'must not begin with -' },
  {
    isBroken: (name) => Array.from(name).some(isBlankOrControl) || SPECIAL.test(name),
    problem: 'must not contain blanks, control characters or any of ~ ^ : ? * [ \\',
  },
  {
    isBroken: (name) => findDirectionProblem(name) !== undefined,
    problem: 'must not contain characters that turn the direction of text',
  },
  { isBroken: (name) => name.includes('..') || name.includes('@{'), problem: 'must not contain .. or @{' },
  {
    isBroken: (name) => name.split('/').some((part) => part === ''),
    problem: 'must be parts between single slashes, none of them empty',
  },
  {
    isBroken: (name) => name.split('/').some((part) => part.startsWith('.') || part.endsWith('.lock')),
    problem: 'must have no part that begins with . or ends with .lock',
  },
  { isBroken: (name) => name.endsWith('.'), problem: 'must not end with .' },
  { isBroken: (name) => name === '@' || name === 'HEAD', problem: 'must not be @ or HEAD' },
  { isBroken: (name) => name.startsWith('refs/'), problem: 'must not begin with refs/: leave out refs/heads/' },
  {
    isBroken: (name) => name.split('/').some((part) => utf8Length(part) > MAX_PART_BYTES),
    problem: `must have no part of more than ${MAX_PART_BYTES} bytes in UTF-8`,
  },
]

/**
 * Why a name cannot be a branch's, because git would not take it or people would read another, in words that go on after the field's name; undefined when it can.
 *
 * Source: git-check-ref-format(1), with `--branch`; without its `@{-1}`, which stands for another branch's name.
 */
export function findBranchNameProblem(name: string): string | undefined {
  return RULES.find(({ isBroken }) => isBroken(name))?.problem
}

/**
 * The first name that git cannot keep beside this one: a branch may be a file or a folder of others, as `feat` and
 * `feat/sub` are. Undefined without one.
 */
export function findObstacle(branch: string, others: Iterable<string>): string | undefined {
  return Array.from(others).find((other) => goesOn(other, branch) || goesOn(branch, other))
}

/**
 * Why a branch cannot be a story's or a project's, because git could not keep it beside those of tasks or it could be one;
 * in words that go on after the field's name. Undefined when it can.
 *
 * @param prefix what branches of tasks without a story begin with
 */
export function findReservedProblem(branch: string, prefix: string = BRANCH_PREFIX): string | undefined {
  if (!branch.startsWith(prefix) && !goesOn(prefix, branch)) return undefined
  return `must not be ${branch}: branches of tasks begin with ${prefix} (branchPrefix in the configuration)`
}

function goesOn(name: string, from: string): boolean {
  return name.startsWith(`${from}/`)
}

/** The blank and what comes before it in ASCII, and DEL. */
function isBlankOrControl(character: string): boolean {
  return character <= ' ' || character === '\u007f'
}
