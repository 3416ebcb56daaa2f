import type { EvaluationSwitches, Project, ProjectSpec, RepositoryHost } from '../../crd/types.ts'
import type { ProjectRecord } from '../records/project.ts'
import type { ProjectInput } from '../requests/project.ts'
import { HOST_WORDS, ON_ACCEPT_WORDS } from '../enum-values.ts'
import { redactUrls } from '../../redact-urls.ts'
import { defined, fromWord, toRunPolicy, toRunPolicyWord } from './fields.ts'
import { toMcpServerRecord } from './mcp-server.ts'

export function toProjectRecord({ metadata, spec }: Project): ProjectRecord {
  const input = toProjectInput(spec)
  return {
    id: metadata.name,
    ...input,
    remote_url: redactUrls(input.remote_url),
    run_policy: input.run_policy ?? 'manual',
    created_at: metadata.creationTimestamp ?? '',
  }
}

/** The fields of a project that people write; `git.caBundle` is not shown. */
export function toProjectInput(spec: ProjectSpec): ProjectInput {
  return {
    name: spec.title,
    remote_url: spec.remoteUrl,
    ...defined({
      local_path: spec.localPath,
      default_branch: spec.defaultBranch,
      container_image: spec.containerImage,
      test_command: spec.testCommand,
      instructions: spec.instructions,
      mcp_servers: spec.mcpServers?.map(toMcpServerRecord),
      run_policy: toRunPolicyWord(spec.runPolicy),
      evaluation: spec.evaluation && toSwitchesInput(spec.evaluation),
      deployment: spec.deployment && defined({ commit_url: spec.deployment.commitUrl }),
      git:
        spec.git &&
        defined({ secret_name: spec.git.secretName, identity: spec.git.identity && { ...spec.git.identity } }),
      on_accept: spec.onAccept && ON_ACCEPT_WORDS[spec.onAccept],
      host: spec.host && toHostInput(spec.host),
    }),
  }
}

/** The inverse of {@link toProjectInput}. */
export function toProjectSpec(input: ProjectInput): ProjectSpec {
  return {
    title: input.name,
    remoteUrl: input.remote_url,
    ...defined({
      localPath: input.local_path,
      defaultBranch: input.default_branch,
      containerImage: input.container_image,
      testCommand: input.test_command,
      instructions: input.instructions,
      mcpServers: input.mcp_servers,
      runPolicy: toRunPolicy(input.run_policy),
      evaluation: input.evaluation && toSwitches(input.evaluation),
      deployment: input.deployment && defined({ commitUrl: input.deployment.commit_url }),
      git:
        input.git &&
        defined({ secretName: input.git.secret_name, identity: input.git.identity && { ...input.git.identity } }),
      onAccept: input.on_accept && fromWord(ON_ACCEPT_WORDS, input.on_accept),
      host: input.host && toHost(input.host),
    }),
  }
}

function toSwitchesInput({ enabled, arbitration, retro, proposeEpics }: EvaluationSwitches): Switches {
  return defined({ enabled, arbitration, retro, propose_epics: proposeEpics })
}

function toSwitches({ enabled, arbitration, retro, propose_epics }: Switches): EvaluationSwitches {
  return defined({ enabled, arbitration, retro, proposeEpics: propose_epics })
}

function toHostInput({ type, apiUrl }: RepositoryHost): HostInput {
  return defined({ type: type && HOST_WORDS[type], api_url: apiUrl })
}

function toHost({ type, api_url: apiUrl }: HostInput): RepositoryHost {
  return defined({ type: type && fromWord(HOST_WORDS, type), apiUrl })
}

type HostInput = NonNullable<ProjectInput['host']>

type Switches = NonNullable<ProjectInput['evaluation']>
