/**
 * Stories as JSON, made once per version of a story and of what its tasks say: resources from the cache are frozen and
 * replaced as a whole when they change, so the text of one is kept beside the object itself and goes with it.
 */
import type { Story } from '../core/crd/types.ts'
import { toStoryRecord } from '../core/rest/map/story.ts'
import type { StoryActionResult, StoryRecord } from '../core/rest/records/story.ts'
import type { StoryProgress } from '../core/story/progress.ts'
import { storyProgress } from '../core/story/progress.ts'
import type { Caches } from './caches.ts'
import type { Representation } from './representation.ts'
import { entityTag, joinRepresentations, represent, shortHash } from './representation.ts'
import type { Audience, Viewer } from './task-view.ts'
import { audienceOf } from './task-view.ts'

export interface StoryView {
  one(story: Story, viewer?: Viewer): Representation<StoryRecord>
  /** In the given order; the entity tag covers every version and derived part in it. */
  many(stories: readonly Story[], viewer?: Viewer): Representation<StoryRecord[]>
  record(story: Story): StoryRecord
  /** The story as it is after an action, with what was done. */
  afterAction(story: Story, done: Pick<StoryActionResult, 'message' | 'task_ids'>): Representation<StoryActionResult>
}

type KeptText = Required<Omit<Representation<StoryRecord>, 'record'>> & { readonly progress: StoryProgress }

type StoryCaches = Pick<Caches, 'stories' | 'tasks' | 'tasksOfStory'>

export function createStoryView(caches: StoryCaches): StoryView {
  const texts = { deciders: createTexts(caches, 'deciders'), readers: createTexts(caches, 'readers') }
  const record = (story: Story): StoryRecord =>
    toStoryRecord(story, storyProgress(story, caches.tasksOfStory(story.metadata.name)))
  return {
    one: (story, viewer) => texts[audienceOf(viewer)].one(story),
    many: (stories, viewer) => texts[audienceOf(viewer)].many(stories),
    record,
    afterAction: (story, done) => ({
      ...represent({ ...done, ...record(story) }),
      etag: texts.deciders.one(story).etag,
    }),
  }
}

/** The texts of one audience, kept while they hold. */
function createTexts(caches: StoryCaches, audience: Audience) {
  const kept = new WeakMap<Story, KeptText>()
  /** The list asked for last: a board that everybody looks at is made once. */
  let lastList: { stories: readonly Story[]; moment: string; text: Representation<StoryRecord[]> } | undefined

  const progressOf = (story: Story): StoryProgress => storyProgress(story, caches.tasksOfStory(story.metadata.name))
  const textOf = (story: Story): KeptText => {
    const progress = progressOf(story)
    const known = kept.get(story)
    if (known !== undefined && isSameProgress(known.progress, progress)) return known
    const record = toStoryRecord(story, progress)
    const json = JSON.stringify(audience === 'deciders' ? record : { ...record, actions: [] })
    const { total, done } = progress.tasks
    const etag = entityTag(
      story.metadata.resourceVersion ?? '',
      [total, done, progress.rootTaskId ?? '', audience].join(),
    )
    const text = { progress, json, etag }
    kept.set(story, text)
    return text
  }
  const makeList = (stories: readonly Story[]): Representation<StoryRecord[]> => {
    const parts = stories.map(textOf)
    return joinRepresentations(parts, `"${shortHash(parts.map(({ etag }) => etag).join())}"`)
  }
  return {
    one: textOf,
    many(stories: readonly Story[]) {
      const moment = `${caches.stories.revision()}.${caches.tasks.revision()}`
      if (lastList?.stories !== stories || lastList.moment !== moment)
        lastList = { stories, moment, text: makeList(stories) }
      return lastList.text
    },
  }
}

function isSameProgress(a: StoryProgress, b: StoryProgress): boolean {
  return a.tasks.total === b.tasks.total && a.tasks.done === b.tasks.done && a.rootTaskId === b.rootTaskId
}
