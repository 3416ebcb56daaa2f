/**
 * Stories as JSON, made once per version of a story and of what its tasks say: resources from the cache are frozen and
 * replaced as a whole when they change, so the text of one is kept beside the object itself and goes with it.
 */
import type { Story, StoryEvaluation, StoryEvent } from '../../core/crd/types.ts'
import { isSame } from '../../core/json.ts'
import { findOwnStoryRefusal } from '../../core/four-eyes.ts'
import { type StoryActionResult, type StoryRecord, STORY } from '../../core/kinds/story.ts'
import { type StoryProgress, storyProgress } from '../../core/story/progress.ts'
import { latestEvaluation } from '../../core/story/tally.ts'
import { type Readership, type Viewer, audienceOf } from '../auth/audience.ts'
import type { Caches } from '../cache/caches.ts'
import { createKeptLists, joinTagged } from './kept-lists.ts'
import { type Representation, entityTag, represent } from './representation.ts'

export interface StoryView {
  one(story: Story, viewer?: Viewer): Representation<StoryRecord>
  /** In the given order; the entity tag covers every version and derived part in it. */
  many(stories: readonly Story[], viewer?: Viewer): Representation<StoryRecord[]>
  record(story: Story, viewer?: Viewer): StoryRecord
  /** The story as it is after an action of somebody who may decide, with what was done. */
  afterAction(story: Story, done: Pick<StoryActionResult, 'message' | 'task_ids'>): Representation<StoryActionResult>
}

/** What a record shows that the story's own status may not say yet. */
interface Derived {
  readonly progress: StoryProgress
  readonly evaluation: StoryEvaluation | undefined
}

type KeptText = Required<Omit<Representation<StoryRecord>, 'record'>> & Derived

export function createStoryView(
  caches: Pick<Caches, 'stories' | 'tasks' | 'tasksOfStory' | 'storyEvents' | 'eventsOfStory' | 'fourEyes'>,
): StoryView {
  const evaluations = new WeakMap<Story, { readonly revision: number; readonly evaluation: Derived['evaluation'] }>()
  const newMap = (): WeakMap<Story, KeptText> => new WeakMap()
  const kept = { deciders: newMap(), readers: newMap(), authors: newMap() }
  const keepList = createKeptLists<StoryRecord>()
  const readershipOf = (story: Story, viewer: Viewer | undefined): Readership => {
    const audience = audienceOf(viewer)
    if (!caches.fourEyes || audience === 'readers' || viewer?.name === undefined) return audience
    const tasks = caches.tasksOfStory(story.metadata.name)
    return findOwnStoryRefusal(story, tasks, viewer.name) === undefined ? audience : 'authors'
  }

  /** Counted anew only when something was told of some story; the same object while it says the same. */
  const evaluationOf = (story: Story): Derived['evaluation'] => {
    const revision = caches.storyEvents.revision()
    const known = evaluations.get(story)
    if (known?.revision === revision) return known.evaluation
    const latest = latestEvaluation(story, eventsOf(caches, story))
    const before = known === undefined ? story.status?.evaluation : known.evaluation
    const evaluation = isSame(before, latest) ? before : latest
    evaluations.set(story, { revision, evaluation })
    return evaluation
  }
  const derive = (story: Story): Derived => ({
    progress: storyProgress(story, caches.tasksOfStory(story.metadata.name)),
    evaluation: evaluationOf(story),
  })
  const textOf = (story: Story, viewer: Viewer | undefined): KeptText => {
    const audience = readershipOf(story, viewer)
    const derived = derive(story)
    const known = kept[audience].get(story)
    if (known !== undefined && isUnchanged(known, derived)) return known
    const json = JSON.stringify(toRecord(story, derived, audience))
    const text = { ...derived, json, etag: tagOf(story, derived, audience) }
    kept[audience].set(story, text)
    return text
  }
  return {
    one: textOf,
    many(stories, viewer) {
      const make = () => joinTagged<StoryRecord>(stories.map((story) => textOf(story, viewer)))
      if (caches.fourEyes) return make()
      const moment = [caches.stories, caches.tasks, caches.storyEvents].map((cache) => cache.revision()).join('.')
      return keepList(audienceOf(viewer), stories, moment, make)
    },
    record: (story, viewer) => toRecord(story, derive(story), readershipOf(story, viewer)),
    afterAction: (story, done) => ({
      ...represent({ ...done, ...toRecord(story, derive(story), 'deciders') }),
      etag: textOf(story, undefined).etag,
    }),
  }
}

function toRecord(story: Story, { progress, evaluation }: Derived, audience: Readership): StoryRecord {
  const status = { ...story.status, ...(evaluation === undefined ? {} : { evaluation }) }
  const record = STORY.toRecord({ ...story, status }, progress)
  if (audience === 'deciders') return record
  if (audience === 'readers') return { ...record, actions: [], moves: [] }
  const actions = record.actions.filter((action) => action !== 'accept')
  return { ...record, actions, moves: record.moves.filter((status) => status !== 'DONE') }
}

/** A browser may keep an answer and ask with another token: the two texts must not pass for one. */
function tagOf({ metadata, status }: Story, { progress, evaluation }: Derived, audience: Readership): string {
  const { total, done } = progress.tasks
  const judged = evaluation === status?.evaluation ? [] : [JSON.stringify(evaluation)]
  return entityTag(metadata.resourceVersion ?? '', [total, done, progress.rootTaskId ?? '', audience, ...judged].join())
}

function isUnchanged({ progress: a, evaluation }: Derived, { progress: b, evaluation: other }: Derived): boolean {
  const isSameProgress =
    a.tasks.total === b.tasks.total && a.tasks.done === b.tasks.done && a.rootTaskId === b.rootTaskId
  return isSameProgress && evaluation === other
}

/** A story's events, in no order. Events of a deleted story of the same name may still be waiting to be collected. */
export function eventsOf({ eventsOfStory }: Pick<Caches, 'eventsOfStory'>, story: Story): StoryEvent[] {
  const { name, uid } = story.metadata
  return eventsOfStory(name).filter(({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Story')
    return owner === undefined || owner.uid === uid
  })
}
