import { type Static, Type } from 'typebox'
import type { ObjectMeta, Project, ProjectCache, ProjectCheck, ProjectSpec, ProjectStatus } from '../crd/types.ts'
import { API_VERSION } from '../names.ts'
import { redactUrls } from '../redact-urls.ts'
import { crdBranchName, crdInteger, crdList, crdName, crdString } from '../schema/crd-limits.ts'
import {
  CACHE_MODE_WORDS,
  HOST_WORDS,
  HOSTS,
  LFS,
  LFS_WORDS,
  ON_ACCEPT,
  ON_ACCEPT_WORDS,
  RUN_POLICIES,
  RUN_POLICY_WORDS,
  SUBMODULES,
  SUBMODULES_WORDS,
} from '../enum-values.ts'
import { closed, Instant, maybe, RecordId } from '../schema/fields.ts'
import { LOCK_FILES, proposeEnvironment } from '../environment/proposal.ts'
import { proposeChecks, proposeProtectedPaths } from '../execution/check-proposal.ts'
import { toEnvironmentRecord } from '../rest/map/environment.ts'
import { withoutAbsent } from '../omit.ts'
import { EnvironmentRecord } from '../rest/records/environment.ts'
import { check, checks } from '../rest/requests/checks.ts'
import { cachedFolder, environment } from '../rest/requests/environment.ts'
import { gitIdentity } from '../rest/requests/git-identity.ts'
import { mcpServers } from '../rest/requests/mcp-servers.ts'
import { services } from '../rest/requests/services.ts'
import { editOf, mergeable, NewId, nullable, optional } from '../rest/requests/shapes.ts'
import { itemsOf, mappingOf, SECONDS, words } from './mapping.ts'
import { shown } from './shown.ts'

const needed = { name: crdName('Project', 'spec.title'), remote_url: crdString('Project', 'spec.remoteUrl') }
const git = closed({
  secret_name: maybe(crdString('Project', 'spec.git.secretName')),
  identity: maybe(gitIdentity('Project')),
})
const options = {
  local_path: crdString('Project', 'spec.localPath'),
  default_branch: crdBranchName('Project', 'spec.defaultBranch'),
  /** Absent: the whole repository. */
  checkout: closed({
    depth: maybe(crdInteger('Project', 'spec.checkout.depth')),
    filter: maybe(crdString('Project', 'spec.checkout.filter')),
    sparse: maybe(crdList('Project', 'spec.checkout.sparse')),
    submodules: maybe(Type.Enum(SUBMODULES)),
    lfs: maybe(Type.Enum(LFS)),
    borrow: maybe(Type.Boolean()),
  }),
  /** Absent: as the repository says. */
  environment,
  container_image: crdString('Project', 'spec.containerImage'),
  test_command: crdString('Project', 'spec.testCommand'),
  /** Absent: nothing is checked. */
  checks,
  max_check_rounds: crdInteger('Project', 'spec.maxCheckRounds'),
  /** Patterns as in .gitignore. */
  protected_paths: crdList('Project', 'spec.protectedPaths'),
  instructions: crdString('Project', 'spec.instructions'),
  mcp_servers: mcpServers('Project'),
  /** Absent: none. */
  services,
  run_policy: Type.Enum(RUN_POLICIES),
  /** Absent: no limit. */
  max_awaiting_review: crdInteger('Project', 'spec.maxAwaitingReview'),
  /** Absent: all of it is on. */
  evaluation: closed({
    enabled: maybe(Type.Boolean()),
    arbitration: maybe(Type.Boolean()),
    retro: maybe(Type.Boolean()),
    propose_epics: maybe(Type.Boolean()),
  }),
  deployment: closed({ commit_url: maybe(crdString('Project', 'spec.deployment.commitUrl')) }),
  git,
  /** Absent: none. */
  on_accept: Type.Enum(ON_ACCEPT),
  host: closed({ type: maybe(Type.Enum(HOSTS)), api_url: maybe(crdString('Project', 'spec.host.apiUrl')) }),
}

/** What people write. */
export const ProjectInput = closed({ ...needed, ...optional(options) })

export const ProjectRecord = closed({
  id: RecordId,
  ...shown(ProjectInput.properties),
  run_policy: Type.Enum(RUN_POLICIES),
  /** What its setups have prepared, newest first. */
  environments: maybe(Type.Array(EnvironmentRecord)),
  /** Files at the top of its default branch that tell what it installs. */
  lock_files: maybe(Type.Array(Type.String())),
  /** Made from these where neither the project nor its repository says how it is prepared. */
  proposed_environment: maybe(closed(shown(environment.properties))),
  /** Made from its test command where it has no checks. */
  proposed_checks: maybe(Type.Array(closed(shown(check.properties)))),
  /** Made from files and folders at the top of its default branch where it has no protected paths. */
  proposed_protected_paths: maybe(Type.Array(Type.String())),
  /** Why no setup runs here. */
  environment_problem: maybe(Type.String()),
  /** Of the data volume, as measured within the last hour; absent: no mirror. */
  mirror_bytes: maybe(Type.Integer()),
  created_at: Instant,
})

/** A repository to try before a project is made of it. */
export const RepositoryTry = closed({ remote_url: needed.remote_url, git: maybe(git) })

const CACHE = mappingOf<ProjectCache>()(cachedFolder, { mode: words(CACHE_MODE_WORDS) }, {})

const CHECK = mappingOf<ProjectCheck>()(check, { timeout_seconds: { crd: 'timeout', ...SECONDS } }, {})

const { toInput, toSpec } = mappingOf<ProjectSpec>()(
  ProjectInput,
  {
    name: 'title',
    run_policy: words(RUN_POLICY_WORDS),
    on_accept: words(ON_ACCEPT_WORDS),
    host: { type: words(HOST_WORDS) },
    checkout: { submodules: words(SUBMODULES_WORDS), lfs: words(LFS_WORDS) },
    checks: itemsOf(CHECK),
    environment: { cache: itemsOf(CACHE), timeout_seconds: { crd: 'timeout', ...SECONDS } },
  },
  {
    'git.caBundle': 'whoever writes manifests sets it',
  },
)

/** What it could be prepared with, in REST's words; undefined where somebody says how it is. */
function proposeFor(spec: ProjectSpec, { environments = [], lockFiles = [] }: ProjectStatus) {
  const isSaid = spec.environment !== undefined || environments.some(({ recipe }) => recipe === '')
  const proposed = isSaid ? undefined : proposeEnvironment(lockFiles)
  return proposed && toInput({ title: '', remoteUrl: '', environment: proposed }).environment
}

/** The registry of repositories. */
export const PROJECT = {
  id: 'project',
  one: 'Project',
  many: 'Projects',
  path: '/api/projects',
  input: ProjectInput,
  create: closed({ id: maybe(NewId), ...ProjectInput.properties }),
  edit: editOf(ProjectRecord.properties, { ...needed, ...mergeable(options), git: closed(nullable(git.properties)) }),
  record: ProjectRecord,
  toInput,
  toSpec,
  make: (metadata: ObjectMeta, spec: ProjectSpec): Project => ({
    apiVersion: API_VERSION,
    kind: 'Project',
    metadata,
    spec,
  }),
  /** @param environmentProblem why no setup runs in this installation */
  toRecord({ metadata, spec, status = {} }: Project, environmentProblem?: string): ProjectRecord {
    const input = toInput(spec)
    const { environments, lockFiles, mirrorBytes } = status
    return {
      id: metadata.name,
      ...input,
      remote_url: redactUrls(input.remote_url),
      run_policy: input.run_policy ?? 'manual',
      created_at: metadata.creationTimestamp ?? '',
      ...withoutAbsent({
        environments: environments?.map(toEnvironmentRecord),
        lock_files: lockFiles?.filter((name) => LOCK_FILES.includes(name)),
        proposed_environment: environmentProblem === undefined ? proposeFor(spec, status) : undefined,
        proposed_checks: proposeChecks(spec),
        proposed_protected_paths: proposeProtectedPaths(spec, status),
        environment_problem: environmentProblem,
        mirror_bytes: mirrorBytes,
      }),
    }
  },
} as const

export type ProjectInput = Static<typeof ProjectInput>
export type ProjectRecord = Static<typeof ProjectRecord>
export type RepositoryTry = Static<typeof RepositoryTry>
