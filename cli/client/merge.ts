import type { Project, Task } from '../../core/rest/client/client.ts'
import { shellWord } from '../../lib/shell.ts'
import { printable } from './text.ts'

/** Where accepted work is, and how it gets into the main branch (docs/delivery.md); undefined for a task without work. */
export function formatMerge(task: Task, project: Project | undefined): string | undefined {
  const { id, story_id } = task
  if (task.branch === undefined || task.changes?.files === 0) return undefined
  const branch = printable(task.branch)
  const how = project?.on_accept ?? 'none'
  switch (how) {
    case 'merge':
      return `${id}: Slipway merges branch ${branch}; see: slipway show ${id}`
    case 'pull_request':
      return `${id}: Slipway opens a pull request for branch ${branch}; see: slipway show ${id}`
    case 'none':
      break
    default:
      how satisfies never
  }
  const where = story_id === undefined ? `branch ${branch}` : `branch ${branch} of story ${story_id}`
  const page = task.compare_url === undefined ? '' : ` (${printable(task.compare_url)})`
  return `${id} is on ${where}${page}; merge it with: ${mergeCommand(branch, project?.remote_url ?? task.repository_url)}`
}

function mergeCommand(branch: string, repository = ''): string {
  return repository.startsWith('/')
    ? `git -C ${shellWord(printable(repository))} merge ${shellWord(branch)}`
    : `git fetch origin ${shellWord(branch)} && git merge FETCH_HEAD`
}
