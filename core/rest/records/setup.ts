import { AGENT_ADAPTER_VALUES } from '../../crd/enums.ts'
import { closed, maybe, RecordId } from '../../schema/fields.ts'
import { type Static, Type } from 'typebox'

/** What trying a repository came to (specification §8.37). */
export const RepositoryTrialRecord = closed({
  /** `unknown`: the credentials that a run would have are not this server's to read. */
  outcome: Type.Enum(['reachable', 'unreachable', 'unknown']),
  /** False: no task could run in it, because it cannot be reached or has no commit; `reason` says which. */
  usable: Type.Boolean(),
  /** Why it is not reachable, or not known to be, in words. */
  reason: maybe(Type.String()),
  /** Whose credentials were tried. */
  tried_as: Type.Enum(['owner', 'url', 'nobody']),
  /** The branch that HEAD names; absent in a repository without a commit. */
  default_branch: maybe(Type.String()),
  branches: maybe(Type.Integer()),
  /** Whether pushes will work, as far as that is known without one. */
  push: Type.Enum(['likely', 'unlikely', 'unknown']),
  push_reason: maybe(Type.String()),
  /** The oldest project of this repository, by whatever form of its URL. */
  project: maybe(RecordId),
})

/** One program that agents are run with, as it was found (specification §8.38). */
export const ProgramRecord = closed({
  adapter: Type.Enum(AGENT_ADAPTER_VALUES),
  /** What it is started as; absent for `script`, which needs no program. */
  command: maybe(Type.String()),
  is_found: Type.Boolean(),
  version: maybe(Type.String()),
  /** Where a login was found; never the login itself. */
  login: Type.Enum(['environment', 'file', 'none', 'not_needed']),
  /** Name of the variable, or path of the file. */
  login_source: maybe(Type.String()),
  /** True: an agent with this adapter can work. */
  is_ready: Type.Boolean(),
  /** What is missing, in words; absent when it is ready. */
  missing: maybe(Type.String()),
  /** A command, or a short instruction, that mends it. */
  remedy: maybe(Type.String()),
})

export const ProgramsRecord = closed({
  /** `images`: agents run in containers whose images bring the programs, and nobody can tell from here. */
  place: Type.Enum(['this_machine', 'images']),
  programs: Type.Array(ProgramRecord),
})

export type RepositoryTrialRecord = Static<typeof RepositoryTrialRecord>
export type ProgramRecord = Static<typeof ProgramRecord>
export type ProgramsRecord = Static<typeof ProgramsRecord>
