/** The form of a project: its values as they are typed, and the record that they make. Pure. */
import type { Project } from '../../../core/rest/client/client.ts'
import type { HostWord, OnAcceptWord } from '../../../core/enum-values.ts'
import type { FormPart } from '../../model/bind-fields.ts'
import { filled, parseLines, parseNumber, patchOf } from '../../model/patch.ts'

export interface ProjectForm {
  readonly id: string
  readonly name: string
  readonly remote_url: string
  readonly local_path: string
  readonly default_branch: string
  readonly container_image: string
  readonly test_command: string
  readonly checks: readonly CheckForm[]
  readonly max_check_rounds: string
  readonly protected_paths: readonly string[]
  readonly instructions: string
  readonly run_policy: 'manual' | 'auto'
  readonly on_accept: OnAcceptWord
  readonly max_awaiting_review: string
  readonly host_type: HostWord | ''
  readonly host_api_url: string
  readonly git_secret: string
  readonly sparse: readonly string[]
  readonly submodules: 'none' | 'shallow' | 'full'
  readonly lfs: 'none' | 'fetch'
  readonly depth: string
  readonly filter: string
  readonly borrow: boolean
  readonly env_setup: string
  /** A path on each line, with `:ro` behind one that is shared. */
  readonly env_cache: readonly string[]
  readonly env_keys: readonly string[]
  /** The record's variables, as JSON. */
  readonly env_variables: string
  readonly env_timeout: string
  readonly env_required: boolean
  readonly commit_url: string
  readonly evaluation: Readonly<Record<EvaluationSwitch, boolean>>
  /** The record's servers, as JSON. */
  readonly mcp_servers: string
  /** The record's services, as JSON. */
  readonly services: string
}

/** A check as it is typed. */
export interface CheckForm {
  readonly name: string
  readonly run: string
  readonly timeout: string
  readonly required: boolean
  readonly image: string
  /** The record's variables, as JSON. */
  readonly env: string
}

/** What every part of the form is given. */
export interface ProjectFieldsProps extends FormPart<ProjectForm> {
  readonly isNew: boolean
}

export const EVALUATION_SWITCHES = ['enabled', 'arbitration', 'retro', 'propose_epics'] as const
export type EvaluationSwitch = (typeof EVALUATION_SWITCHES)[number]

/** Fields of the record that the form shows, by which the server names them. */
export const PROJECT_FIELDS = [
  'id',
  'name',
  'remote_url',
  'local_path',
  'default_branch',
  'container_image',
  'test_command',
  'checks',
  'max_check_rounds',
  'protected_paths',
  'instructions',
  'run_policy',
  'on_accept',
  'max_awaiting_review',
  'host.type',
  'host.api_url',
  'git',
  'checkout.sparse',
  'checkout.submodules',
  'checkout.lfs',
  'checkout.depth',
  'checkout.filter',
  'checkout.borrow',
  'environment.setup',
  'environment.cache',
  'environment.keys',
  'environment.env',
  'environment.timeout_seconds',
  'environment',
  'deployment',
  'evaluation',
  'mcp_servers',
  'services',
] as const

/** The form of a record; of none, that of a project to be made. */
export function toProjectForm(project?: Project): ProjectForm {
  const { checkout = {}, evaluation = {} } = project ?? {}
  return {
    id: project?.id ?? '',
    name: project?.name ?? '',
    remote_url: project?.remote_url ?? '',
    local_path: project?.local_path ?? '',
    default_branch: project?.default_branch ?? '',
    container_image: project?.container_image ?? '',
    test_command: project?.test_command ?? '',
    checks: (project?.checks ?? []).map(toCheckForm),
    max_check_rounds: String(project?.max_check_rounds ?? ''),
    protected_paths: project?.protected_paths ?? [],
    instructions: project?.instructions ?? '',
    run_policy: project?.run_policy ?? 'manual',
    on_accept: project?.on_accept ?? 'none',
    max_awaiting_review: String(project?.max_awaiting_review ?? ''),
    host_type: project?.host?.type ?? '',
    host_api_url: project?.host?.api_url ?? '',
    git_secret: project?.git?.secret_name ?? '',
    sparse: checkout.sparse ?? [],
    submodules: checkout.submodules ?? 'none',
    lfs: checkout.lfs ?? 'none',
    depth: String(checkout.depth ?? ''),
    filter: checkout.filter ?? '',
    borrow: checkout.borrow ?? true,
    ...toEnvironmentForm(project?.environment),
    commit_url: project?.deployment?.commit_url ?? '',
    evaluation: {
      enabled: evaluation.enabled ?? true,
      arbitration: evaluation.arbitration ?? true,
      retro: evaluation.retro ?? true,
      propose_epics: evaluation.propose_epics ?? true,
    },
    mcp_servers: formatList(project?.mcp_servers),
    services: formatList(project?.services),
  }
}

/** The fields of a check, such as one that is proposed. */
export function toCheckForm(check: NonNullable<Project['checks']>[number]): CheckForm {
  const { name, run, timeout_seconds, required = true, image = '', env } = check
  return { name, run, timeout: String(timeout_seconds ?? ''), required, image, env: formatList(env) }
}

/** @throws SyntaxError */
function toCheck({ name, run, timeout, required, image, env }: CheckForm) {
  const rest = filled({
    timeout_seconds: parseNumber(timeout),
    required: required ? undefined : false,
    image: image.trim(),
    env: env.trim() === '' ? undefined : JSON.parse(env),
  })
  return { name: name.trim(), run, ...rest }
}

type EnvironmentForm = Pick<
  ProjectForm,
  'env_setup' | 'env_cache' | 'env_keys' | 'env_variables' | 'env_timeout' | 'env_required'
>

/** The fields of an environment, such as one that is proposed; of none, those left open. */
export function toEnvironmentForm(environment?: Project['environment']): EnvironmentForm {
  const { setup = '', cache = [], keys = [], env, timeout_seconds, required = false } = environment ?? {}
  return {
    env_setup: setup,
    env_cache: cache.map(({ path, mode }) =>
      mode === 'read_only' ? `${path}:ro` : SUFFIX.test(path) ? `${path}:copy` : path,
    ),
    env_keys: keys,
    env_variables: formatList(env),
    env_timeout: String(timeout_seconds ?? ''),
    env_required: required,
  }
}

/** Behind the path of a folder: how agents get it. */
const SUFFIX = /:(ro|copy)$/

/** Whether the form says anything of an environment. */
export function hasEnvironment({
  env_setup,
  env_cache,
  env_keys,
  env_variables,
  env_timeout,
  env_required,
}: ProjectForm) {
  const typed = [env_setup, env_variables, env_timeout, ...env_cache, ...env_keys]
  return env_required || typed.some((text) => text.trim() !== '')
}

/** What the form says of the environment; undefined where all of it is left open. @throws SyntaxError */
function toEnvironment(form: ProjectForm) {
  const { env_setup, env_cache, env_keys, env_variables, env_timeout, env_required } = form
  if (!hasEnvironment(form)) return undefined
  const cache = parseLines(env_cache).map((line) =>
    line.endsWith(':ro')
      ? { path: line.slice(0, -3), mode: 'read_only' as const }
      : { path: line.replace(/:copy$/, '') },
  )
  const fields = filled({
    cache,
    keys: parseLines(env_keys),
    env: env_variables.trim() === '' ? undefined : JSON.parse(env_variables),
    timeout_seconds: parseNumber(env_timeout),
    required: env_required ? true : undefined,
  })
  return { setup: env_setup.trim() === '' ? '' : env_setup, ...fields }
}

function formatList(list: readonly unknown[] | undefined): string {
  return list === undefined ? '' : JSON.stringify(list, null, 2)
}

/**
 * What the form says of a project, without what is left open.
 *
 * @throws SyntaxError for JSON that is none
 */
export function toProjectInput(form: ProjectForm) {
  const host = filled({ type: form.host_type === '' ? undefined : form.host_type, api_url: form.host_api_url.trim() })
  const checkout = toCheckout(form)
  const environment = toEnvironment(form)
  const off = EVALUATION_SWITCHES.filter((name) => !form.evaluation[name])
  return {
    name: form.name.trim(),
    remote_url: form.remote_url.trim(),
    ...filled({
      local_path: form.local_path.trim(),
      default_branch: form.default_branch.trim(),
      container_image: form.container_image.trim(),
      test_command: form.test_command.trim(),
      checks: form.checks.map(toCheck),
      max_check_rounds: parseNumber(form.max_check_rounds),
      protected_paths: parseLines(form.protected_paths),
      instructions: form.instructions,
      max_awaiting_review: parseNumber(form.max_awaiting_review),
    }),
    run_policy: form.run_policy,
    ...(form.on_accept === 'none' ? {} : { on_accept: form.on_accept }),
    ...(Object.keys(host).length === 0 ? {} : { host }),
    ...(form.git_secret.trim() === '' ? {} : { git: { secret_name: form.git_secret.trim() } }),
    ...(Object.keys(checkout).length === 0 ? {} : { checkout }),
    ...(environment === undefined ? {} : { environment }),
    ...(form.commit_url.trim() === '' ? {} : { deployment: { commit_url: form.commit_url.trim() } }),
    ...(off.length === 0 ? {} : { evaluation: Object.fromEntries(off.map((name) => [name, false])) }),
    ...(form.mcp_servers.trim() === '' ? {} : { mcp_servers: JSON.parse(form.mcp_servers) }),
    ...(form.services.trim() === '' ? {} : { services: JSON.parse(form.services) }),
  }
}

/** What differs from a clone of the whole repository. */
function toCheckout({ sparse, submodules, lfs, depth, filter, borrow }: ProjectForm) {
  return filled({
    sparse: parseLines(sparse),
    submodules: submodules === 'none' ? undefined : submodules,
    lfs: lfs === 'none' ? undefined : lfs,
    depth: parseNumber(depth),
    filter: filter.trim(),
    borrow: borrow ? undefined : false,
  })
}

/** The edit that makes a record what the form says; empty when it is that already. @throws SyntaxError */
export function toProjectEdit(project: Project, form: ProjectForm) {
  return patchOf(toProjectInput(toProjectForm(project)), toProjectInput(form))
}
