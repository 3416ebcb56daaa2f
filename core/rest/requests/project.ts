import { crdBranchName, crdName, crdString } from '../crd-limits.ts'
import { closed, maybe } from '../fields.ts'
import { ProjectRecord } from '../records/project.ts'
import { HOSTS, ON_ACCEPT, RUN_POLICIES } from '../enum-values.ts'
import { gitIdentity } from './git-identity.ts'
import { mcpServers } from './mcp-servers.ts'
import { NewId, editOf, nullable, optional } from './shapes.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

const projectName = crdName('Project', 'spec.title')

const projectUrl = crdString('Project', 'spec.remoteUrl')

const projectOptions = {
  local_path: crdString('Project', 'spec.localPath'),
  default_branch: crdBranchName('Project', 'spec.defaultBranch'),
  container_image: crdString('Project', 'spec.containerImage'),
  test_command: crdString('Project', 'spec.testCommand'),
  instructions: crdString('Project', 'spec.instructions'),
  mcp_servers: mcpServers('Project'),
  run_policy: Type.Enum(RUN_POLICIES),
  evaluation: closed({
    enabled: maybe(Type.Boolean()),
    arbitration: maybe(Type.Boolean()),
    retro: maybe(Type.Boolean()),
    propose_epics: maybe(Type.Boolean()),
  }),
  deployment: closed({ commit_url: maybe(crdString('Project', 'spec.deployment.commitUrl')) }),
  git: closed({
    secret_name: maybe(crdString('Project', 'spec.git.secretName')),
    identity: maybe(gitIdentity('Project')),
  }),
  on_accept: Type.Enum(ON_ACCEPT),
  host: closed({ type: maybe(Type.Enum(HOSTS)), api_url: maybe(crdString('Project', 'spec.host.apiUrl')) }),
}

export const ProjectInput = closed({ name: projectName, remote_url: projectUrl, ...optional(projectOptions) })

export const ProjectCreate = closed({ id: maybe(NewId), ...ProjectInput.properties })

export const ProjectEdit = editOf(ProjectRecord.properties, {
  name: projectName,
  remote_url: projectUrl,
  ...projectOptions,
  evaluation: closed(nullable(projectOptions.evaluation.properties)),
  deployment: closed(nullable(projectOptions.deployment.properties)),
  git: closed(nullable(projectOptions.git.properties)),
  host: closed(nullable(projectOptions.host.properties)),
})

/** A repository to try before a project is made of it. */
export const RepositoryTry = closed({ remote_url: projectUrl, git: maybe(projectOptions.git) })

export type RepositoryTry = Static<typeof RepositoryTry>
export type ProjectInput = Static<typeof ProjectInput>
export type ProjectCreate = Static<typeof ProjectCreate>
