import { useEffect, useMemo, useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import { useLooked } from '../../api/looked.ts'
import type { AttemptsState } from '../../api/task-details.ts'
import { whenVisible } from '../../components/when-visible.ts'
import type { Attempt } from '../../model/attempts.ts'
import { compareStates } from '../../model/diff-between.ts'
import type { DiffState } from '../../model/diff-state.ts'
import { latestWork } from '../../../core/rest/latest-work.ts'
import { pickableWork, shownWork, workName } from '../../model/reviewed.ts'

/** Whose diff is shown, and beside which other one. */
export interface ShownWork {
  /** Names the diff; undefined while there is none. */
  readonly id: string | undefined
  readonly state: DiffState
  /** The execution that a decision takes. */
  readonly latest: string | undefined
  /** What can be picked in its place, newest first, the latest too. */
  readonly pickable: readonly Attempt[]
  readonly picked: string | undefined
  /** The earlier attempt since which the changes are shown; undefined: since the base. */
  readonly since: string | undefined
  /** The attempt at which the person looked last, where there is newer work since. */
  readonly lookedAt: Attempt | undefined
  readonly isLatest: boolean
  /** Why the work is not to be accepted beside what is shown. */
  readonly problem: string | undefined
  /** @param id undefined: the latest */
  readonly pick: (id: string | undefined) => void
  readonly compareSince: (id: string | undefined) => void
  /** Shows what changed from one to the other. */
  readonly compare: (earlier: string, later: string) => void
}

interface Choice {
  readonly latest: string | undefined
  readonly picked?: string | undefined
  readonly since?: string | undefined
}

/**
 * What the diff of a task shows. Unless a person picks an earlier attempt, it is what a decision takes; what was picked
 * holds until there is newer work.
 *
 * @param isOpen the diff is in sight; before, it is not read
 */
export function useShownWork(task: Task, { attempts }: AttemptsState, isOpen: boolean): ShownWork {
  const [choice, setChoice] = useState<Choice>({ latest: undefined })
  const latest = latestWork(task)
  const { picked, since } = choice.latest === latest ? choice : { picked: undefined, since: undefined }
  const executionId = picked ?? shownWork(task, attempts)
  const whole = useExecutionDiff(isOpen ? executionId : undefined)
  const earlier = useExecutionDiff(isOpen ? since : undefined)
  const baseOf = (id: string | undefined): string | undefined =>
    attempts.find(({ execution }) => execution.id === id)?.execution.base_commit
  const [earlierBase, laterBase] = [baseOf(since), baseOf(executionId)]
  const state = useMemo(() => {
    const bases = { earlier: earlierBase, later: laterBase }
    return since === undefined ? whole : compareStates(earlier, whole, bases)
  }, [since, earlier, whole, earlierBase, laterBase])
  const isLatest = executionId === latest
  const looked = useLooked(task.id, latest)
  const isSeen = isOpen && isLatest && whole.kind === 'loaded'
  useEffect(() => (isSeen ? whenVisible(() => looked.note()) : undefined), [isSeen, looked])
  const pickable = pickableWork(attempts, latest)
  return {
    id: since === undefined || executionId === undefined ? executionId : `${executionId} since ${since}`,
    state,
    latest,
    pickable,
    picked,
    since,
    lookedAt: pickable.find(({ execution }) => execution.id === looked.before),
    isLatest,
    problem: isOpen ? problemOf({ attempts, latest, executionId, isLoading: whole.kind === 'loading' }) : undefined,
    pick: (id) => setChoice({ latest, picked: id }),
    compareSince: (id) => setChoice({ latest, picked, since: id }),
    compare: (from, to) => setChoice({ latest, picked: to === latest ? undefined : to, since: from }),
  }
}

interface Seen {
  readonly attempts: readonly Attempt[]
  readonly latest: string | undefined
  readonly executionId: string | undefined
  readonly isLoading: boolean
}

function problemOf({ attempts, latest, executionId, isLoading }: Seen): string | undefined {
  if (executionId !== latest)
    return `Accept takes ${workName(attempts, latest)}, and you are looking at ${workName(attempts, executionId)}.`
  return isLoading ? 'Accept waits until the diff is here.' : undefined
}
