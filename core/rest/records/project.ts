import { Instant, RecordId, closed, maybe } from '../fields.ts'
import { HOSTS, ON_ACCEPT, RUN_POLICIES } from '../enum-values.ts'
import { GitIdentity } from './git-identity.ts'
import { McpServerRecord } from './mcp-server.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

export const ProjectRecord = closed({
  id: RecordId,
  name: Type.String(),
  remote_url: Type.String(),
  local_path: maybe(Type.String()),
  default_branch: maybe(Type.String()),
  container_image: maybe(Type.String()),
  test_command: maybe(Type.String()),
  instructions: maybe(Type.String()),
  mcp_servers: maybe(Type.Array(McpServerRecord)),
  run_policy: Type.Enum(RUN_POLICIES),
  /** Absent: all of it is on. */
  evaluation: maybe(
    closed({
      enabled: maybe(Type.Boolean()),
      arbitration: maybe(Type.Boolean()),
      retro: maybe(Type.Boolean()),
      propose_epics: maybe(Type.Boolean()),
    }),
  ),
  deployment: maybe(closed({ commit_url: maybe(Type.String()) })),
  git: maybe(closed({ secret_name: maybe(Type.String()), identity: maybe(GitIdentity) })),
  /** Absent: none. */
  on_accept: maybe(Type.Enum(ON_ACCEPT)),
  host: maybe(closed({ type: maybe(Type.Enum(HOSTS)), api_url: maybe(Type.String()) })),
  created_at: Instant,
})

export type ProjectRecord = Static<typeof ProjectRecord>
