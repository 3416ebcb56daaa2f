/**
 * Kubernetes Events, as `kubectl describe` shows them.
 *
 * The name of an Event is derived from what it says, so that saying it again, from any process and after a restart,
 * finds the first one and counts it up. Recording is best effort by design: it never delays or fails the step that it
 * reports on, and failures are logged.
 */
import { createHash } from 'node:crypto'
import { toTimestamp } from '../core/time.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Event } from './builtin.ts'
import { EVENTS } from './resources.ts'
import { type KubeClient, type KubeObject, type ObjectKey, isAlreadyExists } from './types.ts'

/** Where Events go, and in whose name. */
export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'get' | 'mergePatch'>
  /** Who reports: `slipway-operator`. */
  readonly component: string
  readonly clock: Clock
  readonly logger: Logger
}

/** One report. `reason` is CamelCase and bounded in number, `message` a sentence. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Best effort: no method throws or rejects for what the server does. */
export interface EventRecorder {
  /** Returns at once; Events are written one after another. */
  record(about: KubeObject, note: EventNote): void
  /** Resolves when everything recorded so far is written or has failed. */
  flush(): Promise<void>
}

/** Beyond this many unwritten Events the API server is not keeping up, and further ones are dropped. */
const MAX_BACKLOG = 1000
/** Limit of `Event.message` in Kubernetes. */
const MAX_MESSAGE_LENGTH = 1024
/** Leaves room for `.` and the hash in a name of 253 characters. */
const MAX_NAME_PREFIX = 230

/** A recorder with an empty backlog. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { clock, logger } = options
  let backlog = 0
  let tail = Promise.resolve()

  const write = async (event: Event): Promise<void> => {
    try {
      await createOrCount(options.client, event)
    } catch (error) {
      const { involvedObject, reason } = event
      logger.warn({ error, object: involvedObject, reason }, 'recording an event failed')
    } finally {
      backlog -= 1
    }
  }
  return {
    record(about, note) {
      if (backlog >= MAX_BACKLOG) {
        logger.warn({ object: about.metadata.name, reason: note.reason }, 'too many unwritten events, one dropped')
        return
      }
      backlog += 1
      const event = toEvent(about, note, options.component, clock.now())
      tail = tail.then(() => write(event))
    },
    flush: () => tail,
  }
}

async function createOrCount(client: EventRecorderOptions['client'], event: Event): Promise<void> {
  try {
    await client.create(EVENTS, event)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const key: ObjectKey = { namespace: event.metadata.namespace, name: event.metadata.name }
    const { count = 1 } = await client.get(EVENTS, key)
    await client.mergePatch(EVENTS, key, { count: count + 1, lastTimestamp: event.lastTimestamp })
  }
}

function toEvent(about: KubeObject, note: EventNote, component: string, now: Date): Event {
  const { name, namespace, uid, resourceVersion } = about.metadata
  const { type, reason } = note
  const message = note.message.slice(0, MAX_MESSAGE_LENGTH)
  const identity = JSON.stringify([about.kind, namespace, name, uid, type, reason, message, component])
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16)
  const timestamp = toTimestamp(now)
  return {
    metadata: {
      name: `${name.slice(0, MAX_NAME_PREFIX)}.${hash}`,
      // Events about cluster-scoped objects live in `default`; the API server insists.
      namespace: namespace ?? 'default',
    },
    involvedObject: {
      name,
      ...(about.apiVersion !== undefined && { apiVersion: about.apiVersion }),
      ...(about.kind !== undefined && { kind: about.kind }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
    type,
    reason,
    message,
    count: 1,
    firstTimestamp: timestamp,
    lastTimestamp: timestamp,
    source: { component },
    reportingComponent: component,
  }
}
