import type { ExecutionEnvironment, PreparedEnvironment, SealedCache, SealedEnvironment } from '../../crd/types.ts'
import { CACHE_MODE_WORDS, ENVIRONMENT_STATE_WORDS } from '../../enum-values.ts'
import type { EnvironmentRecord, GivenEnvironment, SealedRecord } from '../records/environment.ts'
import { withoutAbsent } from '../../omit.ts'

export function toEnvironmentRecord(environment: PreparedEnvironment): EnvironmentRecord {
  const { execution, state, recipe, digest, image, commit, onlyFor, cache, bytes, startedAt, builtAt } = environment
  const { seconds, usedAt, message } = environment
  return {
    execution,
    state: ENVIRONMENT_STATE_WORDS[state],
    from_repository: recipe === '',
    ...withoutAbsent({
      digest,
      image,
      commit,
      only_for: onlyFor && withoutAbsent({ task_id: onlyFor.task, story_id: onlyFor.story }),
      cache: cache && toFolders(cache),
      bytes,
      started_at: startedAt,
      built_at: builtAt,
      seconds,
      used_at: usedAt,
      message,
    }),
  }
}

export function toGivenEnvironment(environment: ExecutionEnvironment): GivenEnvironment {
  const { execution, digest, commit, isShared, waitingSince, problem } = environment
  return withoutAbsent({ execution, digest, commit, is_shared: isShared, waiting_since: waitingSince, problem })
}

export function toSealedRecord({ digest, commit, isShared, cache, bytes }: SealedEnvironment): SealedRecord {
  return withoutAbsent({ digest, commit, is_shared: isShared, cache: cache && toFolders(cache), bytes })
}

function toFolders(cache: readonly SealedCache[]) {
  return cache.map(({ path, mode }) => ({ path, mode: CACHE_MODE_WORDS[mode] }))
}
