import type { ProjectCache, ProjectEnvironment } from '../crd/types.ts'

/** What to propose for a lock file. */
interface Installer {
  /** Its names, at the top of a repository; of several that are there, the first says what is installed. */
  readonly files: readonly string[]
  /** Lines of the setup. */
  readonly setup: readonly string[]
  readonly cache: ProjectCache
}

/**
 * What people call an installation, by language; of each, the first one whose file is there is proposed: two package
 * managers would write the same folder. All caches are copies, since agents add dependencies: on a read-only store,
 * `go get` and `cargo build` then fail (tried with Go 1.26 and Cargo 1.95).
 */
const INSTALLERS: readonly (readonly Installer[])[] = [
  [
    { files: ['pnpm-lock.yaml'], setup: ['pnpm install --frozen-lockfile'], cache: copyOf('node_modules') },
    { files: ['yarn.lock'], setup: ['yarn install --frozen-lockfile'], cache: copyOf('node_modules') },
    { files: ['npm-shrinkwrap.json', 'package-lock.json'], setup: ['npm ci'], cache: copyOf('node_modules') },
  ],
  [
    { files: ['uv.lock'], setup: ['uv sync --frozen'], cache: copyOf('.venv') },
    {
      files: ['requirements.txt'],
      setup: ['python3 -m venv .venv', '.venv/bin/pip install -r requirements.txt'],
      cache: copyOf('.venv'),
    },
  ],
  // Without the flag, Go takes the right to write from its folders, and nobody but root could remove a copy at once.
  [{ files: ['go.sum'], setup: ['go mod download -modcacherw'], cache: copyOf('~/go/pkg/mod') }],
  [{ files: ['Cargo.lock'], setup: ['cargo fetch --locked'], cache: copyOf('~/.cargo/registry') }],
]

/** Files at the top of a repository from which {@link proposeEnvironment} makes a proposal. */
export const LOCK_FILES: readonly string[] = INSTALLERS.flat().flatMap(({ files }) => files)

/**
 * Proposes how a project is prepared; undefined if none of the files tells. It is for a person to read and save: nobody
 * runs a setup that no project and no repository asks for.
 *
 * @param lockFiles names of files at the top of the repository, in any order
 */
export function proposeEnvironment(lockFiles: readonly string[]): ProjectEnvironment | undefined {
  const chosen = INSTALLERS.flatMap((ofLanguage) => {
    for (const installer of ofLanguage) {
      const key = installer.files.find((file) => lockFiles.includes(file))
      if (key !== undefined) return [{ ...installer, key }]
    }
    return []
  })
  if (chosen.length === 0) return undefined
  const lines = chosen.flatMap(({ setup }) => setup)
  return {
    setup: `${[...(lines.length > 1 ? ['set -e'] : []), ...lines].join('\n')}\n`,
    cache: chosen.map(({ cache }) => cache),
    keys: chosen.map(({ key }) => key),
  }
}

function copyOf(path: string): ProjectCache {
  return { path }
}
