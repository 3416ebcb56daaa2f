import type { Project, Task } from '../../core/rest/client/client.ts'
import { acceptEffect } from '../../core/sentences/accept.ts'
import { shellWord } from '../../lib/shell.ts'
import { printable } from './text.ts'

/** What accepting the task does, or did; beside work that a person is to merge, where it is and the command. */
export function formatAccept(task: Task, project: Project | undefined): string {
  const { kind, words } = acceptEffect(task, project ?? 'none')
  const said = `${task.id}: Slipway ${printable(words)}`
  if (kind === 'merge' || kind === 'pull_request') return `${said}; see: slipway show ${task.id}`
  if (kind === 'nothing' || task.branch === undefined || task.changes?.files === 0) return said
  const page = task.compare_url === undefined ? '' : ` (${printable(task.compare_url)})`
  return `${said}${page}; merge it with: ${mergeCommand(printable(task.branch), project?.remote_url ?? task.repository_url)}`
}

function mergeCommand(branch: string, repository = ''): string {
  return repository.startsWith('/')
    ? `git -C ${shellWord(printable(repository))} merge ${shellWord(branch)}`
    : `git fetch origin ${shellWord(branch)} && git merge FETCH_HEAD`
}
