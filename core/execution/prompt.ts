import type { Project, Task } from '../crd/types.ts'
import { agentWish } from '../task/agent-spec.ts'

/** What an agent is asked to do, as the text of prompt.md; for a script the script itself, verbatim. */
export function makePrompt(task: Task, adapter: string, project: Project | undefined): string {
  const { instructions } = agentWish(task)
  if (adapter === 'script') return instructions ?? ''
  const { title, description } = task.spec
  const { testCommand } = project?.spec ?? {}
  const comment = task.status?.rejectionComment
  return [
    `# ${title}`,
    description,
    section('Instructions', instructions),
    section('Earlier work on this task was rejected', comment === '' ? undefined : comment),
    section('Check your work with', testCommand === undefined ? undefined : `\`${testCommand}\``),
  ]
    .flatMap((part) => part ?? [])
    .join('\n\n')
    .concat('\n')
}

function section(title: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `## ${title}\n\n${text}`
}
