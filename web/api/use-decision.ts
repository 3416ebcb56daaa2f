import { useMutation } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Story, Task } from '../../core/rest/client/client.ts'
import { type TaskDecision, acceptStory, decideTask, decisions, keyOf } from './decisions.ts'
import type { Kind } from './fold.ts'
import { type Deciding, canUndo } from './held-decisions.ts'

export interface Decision<A> {
  readonly decide: (argument: A) => void
  readonly isPending: boolean
}

interface Telling<A> {
  readonly onDone: (message: string, argument: A) => void
  readonly onRefused: (message: string) => void
}

/**
 * A decision that a view offers: taken once at a time; what became of it is told in the server's words.
 *
 * @param take gives undefined where the person took it back, and nothing is told
 */
export function useDecision<A>(
  take: (argument: A) => Promise<string | undefined>,
  { onDone, onRefused }: Telling<A>,
): Decision<A> {
  const { mutate, isPending } = useMutation({
    mutationFn: take,
    onSuccess: (message, argument) => {
      if (message !== undefined) onDone(message, argument)
    },
    onError: (error) => onRefused(error.message),
  })
  return { decide: (argument) => mutate(argument), isPending }
}

/** All decisions that are under way, in the order of the presses. */
export function useAllDeciding(): readonly Deciding[] {
  return useSyncExternalStore(decisions.subscribe, decisions.read)
}

/** A decision about a record, and how it stands, wherever on the page it was pressed. */
export interface RecordDecision<A> extends Decision<A> {
  /** While it can be taken back, and until it has its answer. */
  readonly held: { readonly doing: string; readonly onUndo: (() => void) | undefined } | undefined
}

/** What a person decides about a task. */
export function useTaskDecision(task: Task, telling: Telling<TaskDecision>): RecordDecision<TaskDecision> {
  const { decide } = useDecision((decision: TaskDecision) => decideTask(task, decision), telling)
  return { decide, ...useStanding('tasks', task.id) }
}

/** That a person accepts a story. */
export function useStoryAccept(story: Story, telling: Telling<void>): RecordDecision<void> {
  const { decide } = useDecision<void>(() => acceptStory(story), telling)
  return { decide, ...useStanding('stories', story.id) }
}

/** Whether a decision about this task is under way, wherever on the page it was pressed. */
export function useIsDeciding(taskId: string): boolean {
  return useStanding('tasks', taskId).isPending
}

function useStanding(kind: Kind, id: string): Omit<RecordDecision<never>, 'decide'> {
  const key = keyOf(kind, id)
  const deciding = useSyncExternalStore(decisions.subscribe, () =>
    decisions.read().find(({ keys }) => keys.includes(key)),
  )
  const onUndo = deciding && canUndo(deciding) ? () => void decisions.undo(deciding) : undefined
  return {
    isPending: deciding !== undefined,
    held: deciding?.waits === true ? { doing: deciding.doing, onUndo } : undefined,
  }
}
