/** What the command palette finds: pure. */
import type { Agent, Story, Task } from '../../core/rest/client/client.ts'
import type { Scope } from '../../core/rest/route.ts'
import { type HumanTrigger, isEditOffered } from '../../core/task/transitions.ts'
import { showUnseen } from '../model/hostile-text.ts'
import { isAgentWaiting } from '../model/attention.ts'
import { editPageOf, pageOf } from '../model/open.ts'
import { runWords } from '../model/task-words.ts'

/** What a goal does when it is chosen. */
export type Deed =
  | { readonly do: 'go'; readonly path: string }
  | { readonly do: 'theme'; readonly theme: 'light' | 'dark' | 'system' }
  | { readonly do: 'undrain'; readonly agent: Agent }
  /** Presses the button that the page has for it, which knows whether that can be done beside what is shown. */
  | { readonly do: 'decide'; readonly action: HumanTrigger }

export interface Goal {
  readonly id: string
  readonly label: string
  readonly kind: 'view' | 'action' | 'story' | 'task'
  readonly deed: Deed
}

const MOST = 12

const DECISION_LABELS: Readonly<Record<HumanTrigger, string>> = {
  run: 'Run',
  accept: 'Accept',
  reject: 'Reject',
  cancel: 'Cancel',
  resume: 'Resume',
  answer: 'Answer',
  revise: 'Ask for changes:',
  waive: 'Waive the checks:',
}

/** What is open: a task or a story. */
export interface ShownRecord {
  readonly task?: Task | undefined
  readonly story?: Story | undefined
}

function decisionWords(action: HumanTrigger, task: Task | undefined): string {
  if (action === 'run' && task !== undefined) return `${runWords(task)}:`
  return DECISION_LABELS[action]
}

/**
 * What can be done from everywhere, and with what is shown.
 *
 * @param may what this person may do on the server
 */
export function findActions(
  agents: readonly Agent[],
  may: (scope: Scope) => boolean,
  { task: shown, story }: ShownRecord = {},
): readonly Goal[] {
  const action = (id: string, label: string, deed: Deed): Goal => ({ id, label, kind: 'action', deed })
  const drained = agents.filter(isAgentWaiting)
  const decide = (taken: HumanTrigger, words: string): Goal => action(taken, words, { do: 'decide', action: taken })
  return [
    ...(shown?.actions ?? []).map((taken) =>
      decide(taken, `${decisionWords(taken, shown)} task ${showUnseen(shown?.name ?? '')}`),
    ),
    ...(story?.actions.includes('accept') ? [decide('accept', `Accept the story ${showUnseen(story.name)}`)] : []),
    ...(shown !== undefined && may('decide') && isEditOffered(shown.state)
      ? [action('edit-task', `Edit task ${showUnseen(shown.name)}`, { do: 'go', path: editPageOf(shown.id) })]
      : []),
    ...(may('decide')
      ? [
          action('new-task', 'New task', { do: 'go', path: '/tasks/new' }),
          action('new-story', 'New story', { do: 'go', path: '/stories/new' }),
        ]
      : []),
    ...(may('admin') ? drained : []).map((agent) =>
      action(`undrain-${agent.id}`, `Undrain ${agent.name}`, { do: 'undrain', agent }),
    ),
    action('theme-light', 'Theme: light', { do: 'theme', theme: 'light' }),
    action('theme-dark', 'Theme: dark', { do: 'theme', theme: 'dark' }),
    action('theme-system', 'Theme: as the system has it', { do: 'theme', theme: 'system' }),
  ]
}

interface Findable {
  readonly views: readonly { readonly id: string; readonly path: string; readonly label: string }[]
  readonly actions: readonly Goal[]
  readonly stories: readonly Story[]
  readonly tasks: readonly Task[]
}

/** Views, actions, stories and tasks whose name or id holds the text; those that begin with it first. */
export function findGoals(text: string, { views, actions, stories, tasks }: Findable): readonly Goal[] {
  const wanted = text.trim().toLowerCase()
  const fixed: readonly Goal[] = [
    ...views.map(({ id, path, label }): Goal => ({ id, label, kind: 'view', deed: { do: 'go', path } })),
    ...actions,
  ]
  if (wanted === '') return fixed
  const all = [
    ...fixed,
    ...stories.map(({ id, name }) => record('story', id, name)),
    ...tasks.map(({ id, name }) => record('task', id, name)),
  ]
  const rank = ({ label, id }: Goal): number => {
    const name = label.toLowerCase()
    if (name.startsWith(wanted) || id.startsWith(wanted)) return 0
    return name.includes(wanted) || id.includes(wanted) ? 1 : 2
  }
  const ranked = all.map((goal) => ({ goal, rank: rank(goal) })).filter((found) => found.rank < 2)
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ goal }) => goal)
}

function record(kind: 'story' | 'task', id: string, name: string): Goal {
  return { id, label: name, kind, deed: { do: 'go', path: pageOf({ kind, id }) } }
}
