import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Files, type Remote, gitIn, makeRemote } from './repository.ts'

/** Repositories as they are found in the wild; each option adds one oddity to the first commit. */
export interface Oddities {
  /** Name of the default branch; absent: main. */
  readonly branch?: string
  /** No commit at all. */
  readonly isEmpty?: boolean
  readonly files?: Files
  /** This many more files, as `many/<n>/<m>`. */
  readonly count?: number
  /** `*.bin` goes through the filter `wild`, and `big.bin` is committed as a pointer ({@link writeFilter}). */
  readonly hasFilter?: boolean
  /** `lib` is a submodule, whose remote is `lib.git` beside this one. */
  readonly hasSubmodule?: boolean
  /** `link` is a gitlink that .gitmodules does not name. */
  readonly hasLooseGitlink?: boolean
  /** Names that are not ASCII (composed and decomposed), and a branch `feature/größe`. */
  readonly hasUnicode?: boolean
  /** `Readme` and `README` in one folder. */
  readonly hasCaseClash?: boolean
  /** A branch `orphan` that shares no commit with the default branch. */
  readonly hasOrphan?: boolean
}

/** A bare repository with these oddities below `folder`. */
export function makeWildRemote(folder: string, odd: Oddities = {}): Remote {
  const { branch = 'main' } = odd
  const remote = makeRemote(folder)
  remote.git('symbolic-ref', 'HEAD', `refs/heads/${branch}`)
  if (odd.isEmpty === true) return remote
  const work = mkdtempSync(join(tmpdir(), 'slipway-wild-'))
  const git = (...args: string[]): string => gitIn(work, '-c', 'protocol.file.allow=always', ...args)
  try {
    git('clone', '--quiet', remote.path, '.')
    git('checkout', '--quiet', '-B', branch)
    writeAll(work, { 'a.txt': 'one\n', ...odd.files, ...oddFiles(odd) })
    git('add', '--all')
    if (odd.hasLooseGitlink === true)
      git('update-index', '--add', '--cacheinfo', `160000,${'1234567890'.repeat(4)},link`)
    if (odd.hasSubmodule === true) addSubmodule(folder, git)
    git('commit', '--quiet', '--allow-empty', '--message', 'first')
    git('push', '--quiet', 'origin', branch)
    if (odd.hasUnicode === true) git('push', '--quiet', 'origin', 'HEAD:refs/heads/feature/größe')
    if (odd.hasOrphan === true) pushOrphan(git)
    return remote
  } finally {
    rmSync(work, { recursive: true })
  }
}

function oddFiles({ count = 0, hasFilter, hasUnicode, hasCaseClash }: Oddities): Files {
  const many = Array.from({ length: count }, (_, i) => [`many/${Math.floor(i / 500)}/${i}`, `${i}\n`])
  return {
    ...Object.fromEntries(many),
    ...(hasFilter === true ? { '.gitattributes': '*.bin filter=wild\n', 'big.bin': 'pointer 6\n' } : {}),
    ...(hasUnicode === true ? { 'größe/漢字.txt': '1\n', 'cafe\u0301': '2\n', 'caf\u00e9': '3\n' } : {}),
    ...(hasCaseClash === true ? { Readme: '1\n', README: '2\n' } : {}),
  }
}

/** The remote of the submodule `lib`, with one commit. */
function addSubmodule(folder: string, git: (...args: string[]) => string): void {
  const lib = makeRemote(join(folder, 'lib'), { 'lib.txt': 'lib\n' })
  git('submodule', '--quiet', 'add', lib.path, 'lib')
}

function pushOrphan(git: (...args: string[]) => string): void {
  git('checkout', '--quiet', '--orphan', 'orphan')
  git('commit', '--quiet', '--allow-empty', '--message', 'a root of its own')
  git('push', '--quiet', 'origin', 'orphan')
}

/**
 * A filter as Git LFS is one: `clean` turns content into `pointer <size>`, and leaves a pointer as it is.
 *
 * @returns the settings by which a clone uses it
 */
export function writeFilter(folder: string): readonly (readonly [name: string, value: string])[] {
  const program = join(folder, 'wild-filter')
  const pass = 'case "$text" in "pointer "*) printf %s "$text";; *) echo "pointer ${#text}";; esac'
  writeFileSync(program, `#!/bin/sh\ntext=$(cat; echo x); text=\${text%x}\n${pass}\n`)
  chmodSync(program, 0o755)
  return [
    ['filter.wild.clean', program],
    ['filter.wild.required', 'true'],
  ]
}

/** Sets who commits in an agent's script; the sandbox may name nobody. */
const AS_AGENT =
  'export GIT_AUTHOR_NAME=agent GIT_AUTHOR_EMAIL=agent@x GIT_COMMITTER_NAME=agent GIT_COMMITTER_EMAIL=agent@x'

/** Two commits that change `a.txt` in different ways: HEAD, and the branch `other`. */
const DIVERGE = `${AS_AGENT}; git checkout -q -b other; echo theirs > a.txt; git commit -qam theirs; git checkout -q -; echo ours > a.txt; git commit -qam ours`

/** What agents do to their clones, as shell commands of a script. */
export const AGENT_COMMANDS = {
  sparseCone: 'git sparse-checkout set --cone src',
  sparsePatterns: "git sparse-checkout set --no-cone '/src/*' '/a.txt'",
  mergeWithConflict: `${DIVERGE}; git merge -q other >/dev/null || true`,
  mergeResolved: `${DIVERGE}; git merge -q other >/dev/null || true; echo both > a.txt; git add a.txt`,
  rebaseWithConflict: `${DIVERGE}; git rebase -q other >/dev/null 2>&1 || true`,
  cherryPickWithConflict: `${DIVERGE}; git cherry-pick other >/dev/null 2>&1 || true`,
  revertWithConflict: `${DIVERGE}; echo more > a.txt; git commit -qam more; git revert --no-edit HEAD~1 >/dev/null 2>&1 || true`,
  /** The first of two is committed by hand, and the second was never reverted. */
  revertOfTwo: `${DIVERGE}; for i in 1 2; do echo $i >> a.txt; git commit -qam $i; done; git revert --no-edit HEAD~1 HEAD >/dev/null 2>&1; echo mine > a.txt; git commit -qam mine -a`,
  /** As scaffolders do: a project with a commit of its own, and an ignore file. */
  scaffold: `${AS_AGENT}; git init -q app; mkdir app/src; echo code > app/src/main.js; echo dist > app/.gitignore; mkdir app/dist; echo built > app/dist/out; git -C app add .; git -C app commit -qm init; echo later > app/later.js`,
  /** The same without a commit, which git refuses to add. */
  scaffoldUnborn: 'git init -q app; echo code > app/main.js',
  commitOnBranch: `${AS_AGENT}; git checkout -q -b side; echo side > side.txt; git add side.txt; git commit -qm side; git checkout -q -`,
  stash: `${AS_AGENT}; echo stashed >> a.txt; git stash -q`,
  linkedWorktree: `${AS_AGENT}; git worktree add -q -b tree .worktrees/tree; echo tree > .worktrees/tree/tree.txt`,
  commitInWorktree: `${AS_AGENT}; git worktree add -q --detach .worktrees/tree; echo tree > .worktrees/tree/tree.txt; git -C .worktrees/tree add tree.txt; git -C .worktrees/tree commit -qm tree`,
  tag: `${AS_AGENT}; git tag -m release v2.0`,
  gitlink: `${AS_AGENT}; git init -q inner; git -C inner commit -q --allow-empty -m inner; git add inner 2>/dev/null; git commit -qm gitlink`,
  initSubmodule: 'git -c protocol.file.allow=always submodule --quiet update --init',
  commitInSubmodule: `${AS_AGENT}; echo more > lib/more.txt; git -C lib add more.txt; git -C lib commit -qm more`,
  removeSubmodule: 'git rm -q lib',
} as const satisfies Record<string, string>

function writeAll(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}
