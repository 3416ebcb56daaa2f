/** What a remote says about its branches, at one moment. */
export interface RemoteBranches {
  /** The branch that its HEAD names; absent when that is detached or has no commit. */
  readonly defaultBranch?: string
  /** Commits of the requested branches; those that the remote does not have are left out. */
  readonly commits: ReadonlyMap<string, string>
}

/** Reads the output of `git ls-remote --symref <url> HEAD <ref>…`; HEAD's own branch is among the commits too. */
export function parseRemote(output: string): RemoteBranches {
  const rows = output.split('\n').map((line) => line.split('\t'))
  const head = rows.find(([value, name]) => name === 'HEAD' && value?.startsWith('ref: '))?.[0]
  const commits = new Map<string, string>()
  for (const [commit = '', name] of rows) if (name?.startsWith('refs/heads/')) commits.set(name.slice(11), commit)
  const headCommit = rows.find(([value, name]) => name === 'HEAD' && value?.startsWith('ref: ') === false)?.[0]
  const defaultBranch = /^ref: refs\/heads\/(.+)$/.exec(head ?? '')?.[1]
  // A name that is no UTF-8 cannot be handed to git again.
  if (defaultBranch === undefined || defaultBranch.includes('\ufffd')) return { commits }
  if (headCommit !== undefined) commits.set(defaultBranch, headCommit)
  return { defaultBranch, commits }
}
