import type { Task, TaskStatus } from '../../core/crd/types.ts'
import type { KubeObject } from '../../kube/types.ts'

/** The kinds of which an edit is judged by what people wrote, and not by what the operator writes into their status. */
const WITHOUT_STATUS: readonly (string | undefined)[] = ['Epic', 'Project']

/** The version that an entity tag names, and that `If-Match` is compared with. */
export function versionOf(object: KubeObject): string {
  const { uid = '', generation, resourceVersion = '' } = object.metadata
  const countsGenerations = WITHOUT_STATUS.includes(object.kind) || isUntouchedTask(object)
  return countsGenerations ? `${uid.slice(0, 8)}-g${generation ?? 1}` : resourceVersion
}

/**
 * Whether a task is as somebody wrote it and nothing has happened to it yet. The operator's first look stores the state
 * that absence stands for: a new resourceVersion, though nobody sees anything else. The tag of what a create answers
 * must outlive that moment, so it is made of the generation, which counts what people wrote.
 */
function isUntouchedTask(object: KubeObject): boolean {
  if (!isTask(object)) return false
  const { state = 'PENDING', conditions = [], observedGeneration: _, ...more }: TaskStatus = object.status ?? {}
  return state === 'PENDING' && conditions.length === 0 && Object.keys(more).length === 0
}

function isTask(object: KubeObject): object is Task {
  return object.kind === 'Task'
}
