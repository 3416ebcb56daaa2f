import type { Kind } from '../kind.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from './definition.ts'
import { EVENTS } from './event.ts'
import { JOBS } from './job.ts'
import { NAMESPACES } from './namespace.ts'
import { NODES } from './node.ts'
import { PODS } from './pod.ts'
import { CONFIG_MAPS, LEASES, PERSISTENT_VOLUME_CLAIMS, SECRETS, SERVICE_ACCOUNTS, SERVICES } from './simple.ts'

/** The kinds that are served without a definition. */
export const BUILT_IN_KINDS: readonly Kind[] = [
  NAMESPACES,
  PODS,
  CONFIG_MAPS,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  PERSISTENT_VOLUME_CLAIMS,
  EVENTS,
  NODES,
  JOBS,
  LEASES,
  CUSTOM_RESOURCE_DEFINITIONS,
]
