import type { Story } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { authoredBy } from '../../core/four-eyes.ts'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import { type StoryCreate, STORY } from '../../core/kinds/story.ts'
import { storyStatusFields } from '../../core/story/progress.ts'
import { moveStory } from '../../core/story/status.ts'
import type { ApiContext } from '../context.ts'
import { checkStoryBranch, checkStoryReferences } from './references.ts'
import { changeRecord, createRecord } from './writes.ts'

/**
 * Creates a story with its whole status, as the operator would write it: then nothing is left to do about it, and the
 * entity tag of the answer stays true.
 *
 * @throws ApiError `unknown_reference`, `invalid_request`, `already_exists`
 */
export async function createStory(context: ApiContext, create: StoryCreate, author: string): Promise<Story> {
  const { client, caches, namespace, clock } = context
  const { id = context.makeId('story'), status = 'DISCOVERY', ...input } = create
  if (id === 'order') throw apiError('invalid_request', 'id: order is a path of the API, not a name for a story')
  await checkStoryReferences(caches, input, new Set(Object.keys(input)))
  checkStoryBranch(context, id, input)
  const labels = { [LABELS.managedBy]: MANAGED_BY }
  const metadata = { name: id, namespace, labels, annotations: authoredBy(author) }
  await createRecord(context, caches.stories, 'story', STORY.make(metadata, STORY.toSpec(input)))
  const { object } = await changeRecord(client, caches.stories, { kind: 'story', id }, (created) => {
    const tasks = caches.tasksOfStory(id)
    const begun = { ...created, status: moveStory(created, tasks, status, clock.now()) }
    const write = { ...begun, status: storyStatusFields(begun, tasks, clock.now()) }
    return { write, subresource: 'status', result: undefined }
  })
  return object
}
