import { EPIC } from '../../core/kinds/epic.ts'
import type { ApiContext } from '../context.ts'
import { requireFound } from '../commands/writes.ts'
import { BOARD_ORDER, sortBy } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { StoryView } from '../records/story-view.ts'
import type { Handlers } from './handler.ts'
import { recordHandlers } from './record-handlers.ts'

/** The themes that stories belong to. */
export function epicHandlers(
  context: ApiContext & { readonly preconditions: Preconditions; readonly stories: StoryView },
) {
  const { caches, preconditions, stories } = context
  const { list, create, get, update, remove, manifest } = recordHandlers(context, EPIC, {
    cache: caches.epics,
    precondition: preconditions.epic,
    toRecord: (epic) => EPIC.toRecord(epic, caches.storiesOfEpic(epic.metadata.name)),
    tagOf: (record) => `${record.stories.total},${record.stories.done}`,
    usersOf: (id) => caches.storiesOfEpic(id).map(({ metadata }) => `story ${metadata.name}`),
    use: ['belongs to it', 'belong to it'],
  })
  return {
    listEpics: list,
    createEpic: ({ body: { id, ...input } }) => create(input, id),
    getEpic: get,
    updateEpic: update,
    deleteEpic: remove,
    async listEpicStories({ params, query, caller }) {
      requireFound(await caches.epics.read(params.id), 'epic')
      const page = paginate(sortBy(BOARD_ORDER, caches.storiesOfEpic(params.id)), query, BOARD_ORDER)
      return {
        status: 200,
        body: stories.many(page.items, caller),
        headers: page.headers(`/api/epics/${params.id}/stories`),
      }
    },
    getEpicManifest: manifest,
  } satisfies Partial<Handlers>
}
