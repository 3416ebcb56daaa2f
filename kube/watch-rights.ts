/**
 * What the API server refuses this process for want of a right, so that /readyz can say so: an operator whose role is
 * gone, say because its namespace is being deleted, looks well from outside while nothing moves any more.
 */
import type { Clock } from '../lib/clock.ts'
import { EVENTS, SECRETS } from './resources.ts'
import { type KubeClient, type KubeObject, type ObjectKey, type Resource, isForbidden } from './types.ts'

export interface WatchedRights {
  /** The client that is watched. */
  readonly client: KubeClient
  /** What was refused last and has not been granted since, in the server's words; undefined while there is nothing. */
  refusal(): string | undefined
}

/** Beyond the time after which everything is tried again: what is refused no more need not have been asked for again. */
const REMEMBERED_MS = 15 * 60_000

/** Best effort, or looked after where they are used. */
const NOT_WATCHED: readonly string[] = [EVENTS.plural, SECRETS.plural]

/** A quota refuses one object, and takes it when there is room again. */
const IS_QUOTA = /exceeded quota/

/** Watches a client; lists and watches have informers for that. */
export function watchRights(client: KubeClient, clock: Clock): WatchedRights {
  const refused = new Map<string, { readonly message: string; readonly at: number }>()
  const watch = async <T>(
    verb: string,
    { plural }: Resource<KubeObject>,
    key: ObjectKey,
    asked: Promise<T>,
  ): Promise<T> => {
    const what = `${verb} ${plural} ${key.namespace ?? ''}`
    try {
      const answer = await asked
      refused.delete(what)
      return answer
    } catch (error) {
      const isRefused = isForbidden(error) && !NOT_WATCHED.includes(plural) && !IS_QUOTA.test(error.message)
      if (isRefused) refused.set(what, { message: error.message, at: clock.now().getTime() })
      throw error
    }
  }
  return {
    client: {
      ...client,
      get: (resource, key, options) => watch('get', resource, key, client.get(resource, key, options)),
      find: (resource, key, options) => watch('get', resource, key, client.find(resource, key, options)),
      create: (resource, object, options) =>
        watch('create', resource, object.metadata, client.create(resource, object, options)),
      replace: (resource, object, options) =>
        watch('update', resource, object.metadata, client.replace(resource, object, options)),
      replaceStatus: (resource, object, options) =>
        watch('update status of', resource, object.metadata, client.replaceStatus(resource, object, options)),
      mergePatch(resource, key, patch, options) {
        const asked = client.mergePatch(resource, key, patch, options)
        // Whoever tries what a policy must refuse is glad of the refusal.
        return options?.dryRun === true ? asked : watch('patch', resource, key, asked)
      },
      delete: (resource, key, how, options) =>
        watch('delete', resource, key, client.delete(resource, key, how, options)),
    },
    refusal() {
      const horizon = clock.now().getTime() - REMEMBERED_MS
      return [...refused.values()].filter(({ at }) => at > horizon).at(-1)?.message
    },
  }
}
