import { budgetNotKeptReason } from '../../core/agent/prices.ts'
import { agentOf } from '../../core/agent/waiting.ts'
import type { Task } from '../../core/crd/types.ts'
import { undeliveredWords } from '../../core/sentences/accept.ts'
import { projectOf } from '../../core/task/project.ts'
import type { ApiContext } from '../context.ts'

/** Says of a task whose agent is known that its budget cannot be kept (specification §6.11). */
export function budgetWarning({ caches }: ApiContext, task: Task): Readonly<Record<string, string>> {
  const agent = caches.agents.find(agentOf(task))
  const reason = agent && budgetNotKeptReason(task, agent)
  return warningHeaders(reason === undefined ? [] : [reason])
}

/** Says of a task that is deleted that its accepted work was still to be delivered, and now is not. */
export function undeliveredWarning(context: ApiContext, task: Task): Readonly<Record<string, string>> {
  const { branch } = task.status ?? {}
  return warningHeaders(branch !== undefined && isToBeDelivered(context, task) ? [undeliveredWords(branch)] : [])
}

/** Whether accepted work is still on its way to where its project wants it. */
export function isToBeDelivered({ caches }: ApiContext, task: Task): boolean {
  const project = caches.projects.find(projectOf(task, caches.stories.find(task.spec.storyId)))
  return task.status?.delivery?.state === 'Pending' && (project?.spec.onAccept ?? 'None') !== 'None'
}

/**
 * What a caller should know though the request was carried out, as header `Warning` with code 299, as Kubernetes answers
 * it (RFC 7234, section 5.5; RFC 9111 no longer lists the header, clients still show it). No header without a text.
 */
function warningHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  return texts.length === 0 ? {} : { Warning: texts.map((text) => `299 - ${quote(text)}`).join(', ') }
}

/** A quoted-string (RFC 9110, section 5.6.4); what no header can hold becomes a question mark. */
function quote(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, '?')
  return `"${printable.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
