import type { ProjectSpec, ProjectStatus } from '../crd/types.ts'

/** What decides whether checks pass, by its name at the top of a repository, and the pattern that protects it. */
const PROTECTED: Readonly<Record<string, string>> = {
  '.ci': '/.ci/',
  '.circleci': '/.circleci/',
  '.github': '/.github/workflows/',
  '.gitlab-ci.yml': '/.gitlab-ci.yml',
  '.woodpecker': '/.woodpecker/',
  Jenkinsfile: '/Jenkinsfile',
  'azure-pipelines.yml': '/azure-pipelines.yml',
  __tests__: '/__tests__/',
  e2e: '/e2e/',
  spec: '/spec/',
  test: '/test/',
  tests: '/tests/',
}

/** Names at the top of a repository from which {@link proposeProtectedPaths} makes a proposal. */
export const PROTECTED_NAMES: readonly string[] = Object.keys(PROTECTED)

/**
 * Proposes the test command, which agents are only told to run, as a check; undefined where there is none, and where checks
 * are said. It is for a person to read and save: nothing is checked that no project asks for.
 */
export function proposeChecks({ testCommand = '', checks }: Proposed): { name: string; run: string }[] | undefined {
  const run = testCommand.trim()
  return run === '' || checks !== undefined ? undefined : [{ name: 'test', run }]
}

interface Proposed {
  readonly testCommand?: string
  readonly checks?: readonly unknown[] | undefined
}

/** Proposes CI configuration and folders of tests that are known to be there; undefined for none, and where paths are said. */
export function proposeProtectedPaths(
  { protectedPaths }: Pick<ProjectSpec, 'protectedPaths'>,
  { lockFiles: names = [] }: Pick<ProjectStatus, 'lockFiles'>,
): string[] | undefined {
  const paths = Object.entries(PROTECTED).flatMap(([name, pattern]) => (names.includes(name) ? [pattern] : []))
  return paths.length === 0 || protectedPaths !== undefined ? undefined : paths
}
