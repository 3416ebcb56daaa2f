/**
 * What becomes of approvals whose server has gone.
 *
 * Every ten seconds a server renews the mark of each story that it is approving. A mark that did not change for half a
 * minute, by the clock of who looks, has lost its server: it is taken over by a compare-and-swap, so by one server
 * only. Where there is one server alone, a mark that is not its own has lost its server in any case.
 */
import { approverOf, isBeingApproved, markOf, markStory, unmarkStory } from '../../core/story/approval.ts'
import type { Story } from '../../core/crd/types.ts'
import { addMs, parseTimestamp } from '../../core/time.ts'
import type { EventRecorder } from '../../kube/events.ts'
import { delay } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import { changeRecord } from '../commands/writes.ts'
import type { StoredPlan } from './plan-files.ts'
import type { StepContext } from './steps.ts'
import { removeRest } from './undo.ts'

export interface AbandonedApprovalContext extends StepContext {
  readonly logger: Logger
  readonly events: Pick<EventRecorder, 'record'>
  readonly isAlone: boolean
  readonly isUnderWay: (story: string) => boolean
  /** Goes on with an approval that is this server's from now on. */
  readonly resume: (stored: StoredPlan) => void
}

const HEARTBEAT_MS = 10_000
const LOST_AFTER_MS = 30_000
/** A plan is written before its story: one without is left alone for as long as that may take. */
const STORYLESS_MS = 60_000

/** Looks after marks and plans until `signal` aborts. The caches must be filled. */
export async function recoverAbandonedApprovals(context: AbandonedApprovalContext, signal: AbortSignal): Promise<void> {
  const { caches, clock, logger } = context
  const sightings = createSightings()
  await caches.synced
  while (!signal.aborted) {
    try {
      for (const story of caches.allStories.list().filter(isBeingApproved))
        await recoverStory(context, story, sightings.ageMs(story, clock.now()))
      await sweepPlans(context)
    } catch (error) {
      logger.warn({ error }, 'approvals not looked after; tried again')
    }
    await delay(clock, HEARTBEAT_MS, signal)
  }
}

async function recoverStory(context: AbandonedApprovalContext, story: Story, ageMs: number): Promise<void> {
  const { approver, isAlone, isUnderWay } = context
  const { name } = story.metadata
  if (isUnderWay(name)) return void (await renewMark(context, story))
  const isLost = isAlone || approverOf(story) === approver || ageMs >= LOST_AFTER_MS
  if (!isLost || !(await renewMark(context, story))) return
  const stored = await context.files.read(name)
  if (stored === undefined) await giveUpMark(context, name)
  else if (!context.isUnderWay(name)) context.resume(stored)
}

/** @returns false when the mark has changed since: somebody else is at work, or the work is done */
async function renewMark({ client, caches, approver, clock }: AbandonedApprovalContext, seen: Story): Promise<boolean> {
  const mark = markOf(seen)
  const key = { kind: 'story', id: seen.metadata.name }
  if (caches.allStories.find(key.id) === undefined) return false
  const { result } = await changeRecord(client, caches.allStories, key, (story) =>
    markOf(story) === mark ? { write: markStory(story, approver, clock.now()), result: true } : { result: false },
  )
  return result
}

/** Without its plan nobody can finish it, and nobody knows whether it may go: a person decides, who must see it for that. */
async function giveUpMark({ client, caches, events, logger }: AbandonedApprovalContext, id: string): Promise<void> {
  const { object } = await changeRecord(client, caches.allStories, { kind: 'story', id }, (story) =>
    isBeingApproved(story) ? { write: unmarkStory(story), result: undefined } : { result: undefined },
  )
  const message = 'its approval was interrupted and its plan is lost: tasks may be missing; delete it or complete it'
  events.record(object, { type: 'Warning', reason: 'ApprovalLost', message })
  logger.warn({ story: id }, 'approval interrupted, and its plan is lost')
}

/** Plans whose story was never made, or was taken back. */
async function sweepPlans(context: AbandonedApprovalContext): Promise<void> {
  const { files, clock, caches, isAlone, isUnderWay } = context
  for (const name of await files.list()) {
    if (isUnderWay(name)) continue
    const stored = await files.read(name)
    const isFresh = stored !== undefined && addMs(parseTimestamp(stored.at), STORYLESS_MS) > clock.now()
    if (isFresh && !isAlone) continue
    const story = await caches.allStories.readLive(name)
    if (story !== undefined && isBeingApproved(story)) continue
    if (stored === undefined || story !== undefined) await files.remove(name)
    else await removeRest(context, stored)
  }
}

/** Since when each mark has been as it is, by our own clock. */
function createSightings() {
  const seen = new Map<string, { readonly mark: string | undefined; readonly since: Date }>()
  return {
    ageMs({ metadata }: Story, now: Date): number {
      const mark = markOf({ metadata })
      const known = seen.get(metadata.name)
      if (known?.mark === mark && known !== undefined) return now.getTime() - known.since.getTime()
      seen.set(metadata.name, { mark, since: now })
      return 0
    },
  }
}
