import { BIDI_CONTROLS } from '../../core/bidi-controls.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import type { ForeignCommit } from '../../core/crd/types.ts'
import { type Text, clip } from '../../core/text.ts'
import { type GitOptions, git } from '../../lib/git.ts'

const UNPRINTABLE = new RegExp(`[${BIDI_CONTROLS}\\p{Cc}]`, 'gu')

/** Author and subject of commits, in the given order. Anybody may have written them: nothing in them steers a terminal. */
export async function nameCommits(options: GitOptions, commits: readonly string[]): Promise<ForeignCommit[]> {
  if (commits.length === 0) return []
  const args = ['log', '--no-walk=unsorted', '-z', '--format=%H%n%an <%ae>%n%s', '--stdin']
  const { stdout } = await git(args, { ...options, input: `${commits.join('\n')}\n` })
  const texts = stdout.toString('utf8').split('\0')
  return texts.filter((text) => text !== '').map(toNamed)
}

function toNamed(text: string): ForeignCommit {
  const [commit = '', author = '', ...subject] = text.split('\n')
  const { commitTextLength: length } = RESULT_LIMITS
  return { commit, author: toShownText(author, length), subject: toShownText(subject.join(' '), length) }
}

/** A text of a repository as it may be shown, cut to a length. */
function toShownText<const N extends number>(text: string, length: N): Text<N> {
  return clip(text.replaceAll(UNPRINTABLE, '\ufffd'), length)
}

/** A path of a listing whose bytes are read as latin1. */
export function toShownPath(latin1: string): string {
  return toShownText(Buffer.from(latin1, 'latin1').toString('utf8'), RESULT_LIMITS.shownPathLength)
}
