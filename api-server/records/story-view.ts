/**
 * Stories as JSON, made once per version of a story and of what its tasks say: resources from the cache are frozen and
 * replaced as a whole when they change, so the text of one is kept beside the object itself and goes with it.
 */
import type { Story } from '../../core/crd/types.ts'
import { toStoryRecord } from '../../core/rest/map/story.ts'
import type { StoryActionResult, StoryRecord } from '../../core/rest/records/story.ts'
import type { StoryProgress } from '../../core/story/progress.ts'
import { storyProgress } from '../../core/story/progress.ts'
import type { Audience, Viewer } from '../auth/audience.ts'
import { audienceOf } from '../auth/audience.ts'
import type { Caches } from '../cache/caches.ts'
import type { Representation } from './representation.ts'
import { entityTag, joinRepresentations, represent, shortHash } from './representation.ts'

export interface StoryView {
  one(story: Story, viewer?: Viewer): Representation<StoryRecord>
  /** In the given order; the entity tag covers every version and derived part in it. */
  many(stories: readonly Story[], viewer?: Viewer): Representation<StoryRecord[]>
  record(story: Story, viewer?: Viewer): StoryRecord
  /** The story as it is after an action of somebody who may decide, with what was done. */
  afterAction(story: Story, done: Pick<StoryActionResult, 'message' | 'task_ids'>): Representation<StoryActionResult>
}

type KeptText = Required<Omit<Representation<StoryRecord>, 'record'>> & { readonly progress: StoryProgress }

export function createStoryView(caches: Pick<Caches, 'stories' | 'tasks' | 'tasksOfStory'>): StoryView {
  const kept = { deciders: new WeakMap<Story, KeptText>(), readers: new WeakMap<Story, KeptText>() }
  /** The list asked for last: a board that everybody looks at is made once. */
  const lastLists: {
    [A in Audience]?: { stories: readonly Story[]; moment: string; text: Representation<StoryRecord[]> }
  } = {}

  const progressOf = (story: Story): StoryProgress => storyProgress(story, caches.tasksOfStory(story.metadata.name))
  const textOf = (story: Story, audience: Audience): KeptText => {
    const progress = progressOf(story)
    const known = kept[audience].get(story)
    if (known !== undefined && isSameProgress(known.progress, progress)) return known
    const json = JSON.stringify(toRecord(story, progress, audience))
    const { total, done } = progress.tasks
    // A browser may keep an answer and ask with another token: the two texts must not pass for one.
    const derived = [total, done, progress.rootTaskId ?? '', audience].join()
    const text = { progress, json, etag: entityTag(story.metadata.resourceVersion ?? '', derived) }
    kept[audience].set(story, text)
    return text
  }
  const makeList = (stories: readonly Story[], audience: Audience): Representation<StoryRecord[]> => {
    const parts = stories.map((story) => textOf(story, audience))
    return joinRepresentations(parts, `"${shortHash(parts.map(({ etag }) => etag).join())}"`)
  }
  return {
    one: (story, viewer) => textOf(story, audienceOf(viewer)),
    many(stories, viewer) {
      const audience = audienceOf(viewer)
      const moment = `${caches.stories.revision()}.${caches.tasks.revision()}`
      const last = lastLists[audience]
      if (last?.stories === stories && last.moment === moment) return last.text
      const text = makeList(stories, audience)
      lastLists[audience] = { stories, moment, text }
      return text
    },
    record: (story, viewer) => toRecord(story, progressOf(story), audienceOf(viewer)),
    afterAction: (story, done) => ({
      ...represent({ ...done, ...toRecord(story, progressOf(story), 'deciders') }),
      etag: textOf(story, 'deciders').etag,
    }),
  }
}

function toRecord(story: Story, progress: StoryProgress, audience: Audience): StoryRecord {
  const record = toStoryRecord(story, progress)
  return audience === 'deciders' ? record : { ...record, actions: [], moves: [] }
}

function isSameProgress(a: StoryProgress, b: StoryProgress): boolean {
  return a.tasks.total === b.tasks.total && a.tasks.done === b.tasks.done && a.rootTaskId === b.rootTaskId
}
