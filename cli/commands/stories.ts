import type { Epic, Story } from '../../core/rest/client/client.ts'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import type { Style } from '../client/style.ts'

export const storiesCommand: ClientCommand = {
  kind: 'client',
  name: 'stories',
  summary: 'List stories by status, then priority',
  examples: ['slipway stories --epic payment'],
  prints: 'story',
  words: [],
  flags: [{ name: 'epic', short: 'e', value: 'name', description: 'Only those of that epic' }],
  async run({ session, terminal, signal, style, values }) {
    const epic = values.get('epic')
    const stories = await (epic === undefined
      ? session.api.listStories({}, { signal })
      : session.api.listEpicStories({ params: { id: epic } }, { signal }))
    print(terminal, session.form, stories, () => storyListing(stories, style))
    return 0
  },
}

function storyListing(stories: readonly Story[], style: Style): string {
  if (stories.length === 0) return 'No stories.\n'
  const rows = stories.map(({ id, status, tasks, project_id, branch_name, name }) => [
    id,
    status,
    progress(tasks),
    project_id ?? '',
    branch_name,
    name,
  ])
  return table(['STORY', 'STATUS', 'DONE', 'PROJECT', 'BRANCH', 'NAME'], rows, style)
}

export const epicsCommand: ClientCommand = {
  kind: 'client',
  name: 'epics',
  summary: 'List epics',
  examples: ['slipway epics -o name'],
  prints: 'epic',
  words: [],
  flags: [],
  async run({ session, terminal, signal, style }) {
    const epics = await session.api.listEpics({}, { signal })
    print(terminal, session.form, epics, () => epicListing(epics, style))
    return 0
  },
}

function epicListing(epics: readonly Epic[], style: Style): string {
  if (epics.length === 0) return 'No epics.\n'
  const rows = epics.map(({ id, stories, priority, name }) => [id, progress(stories), String(priority), name])
  return table(['EPIC', 'DONE', 'PRIORITY', 'NAME'], rows, style)
}

function progress({ done, total }: Epic['stories']): string {
  return `${done} of ${total}`
}
