/** What `npm run screenshots` takes a picture of. */

/**
 * Where a picture is taken: the installation that looks like a team's week, one in which nothing is, the same after its
 * guide was left, and one that asks for a token.
 */
export type Place = 'week' | 'empty' | 'left' | 'locked'

export interface View {
  readonly name: string
  readonly path: string
  /** What is there once the view is. */
  readonly ready: string
  readonly at: Place
}

type Row = readonly [name: string, path: string, ready: string]

const viewsAt = (at: Place, rows: readonly Row[]): readonly View[] =>
  rows.map(([name, path, ready]) => ({ name, path, ready, at }))

export const VIEWS: readonly View[] = [
  ...viewsAt('week', [
    ['inbox', '/', 'h1'],
    ['board', '/stories', '[data-story]'],
    ['stories-list', '/stories?view=list', '[data-row]'],
    ['tasks', '/tasks', '[data-row]'],
    ['task', '/tasks/escape-names', '[role=tab]'],
    ['panel', '/stories?open=task:escape-names', '[data-panel] [role=tab]'],
    ['checks', '/tasks/caption-timing', '[aria-label="About the work"]'],
    ['checks-failed', '/tasks/caption-colours', '[aria-label^="Log of"] [data-line]'],
    ['checks-waived', '/tasks/caption-export', '[aria-label="About the work"]'],
    ['checks-rounds', '/executions/caption-timing-1?tab=checks', '[aria-label^="Log of"] [data-line]'],
    ['ci', '/tasks/keyboard-basket', '[aria-label="About the work"]'],
    ['story', '/stories/voucher', 'svg [data-node]'],
    ['story-diff', '/stories/voucher?tab=diff', '[data-file]'],
    ['new-story', '/stories/new', 'textarea'],
    ['epics', '/epics', 'h2'],
    ['projects', '/projects', '[data-row]'],
    ['project', '/projects/shop', 'form'],
    ['new-project', '/projects/new', 'form'],
    ['agents', '/agents', '[data-row]'],
    ['agent', '/agents/translator', 'form'],
    ['new-agent', '/agents/new', 'form'],
    ['new-task', '/tasks/new', 'form'],
    ['edit-task', '/tasks/escape-names/edit', 'form'],
    ['stats', '/stats', 'canvas'],
    ['scripts', '/scripts', 'nav[aria-label="Scripts"]'],
    ['drops', '/drops', 'tbody tr'],
    ['execution', '/executions/voucher-refund-1?tab=conversation', '[data-index]'],
    ['diff', '/executions/escape-names-1?tab=changes', '[data-file]'],
    ['log', '/executions/index-queue-1', '[data-line]'],
    ['asked', '/executions/slip-language-1', 'section[aria-label="What the agent asked"]'],
    ['answered', '/executions/slip-language-2', 'section[aria-label="Answer to the agent"]'],
    ['settings', '/settings', 'fieldset'],
  ]),
  ...viewsAt('empty', [['first-run', '/', '#first-run-step']]),
  ...viewsAt('left', [
    ['inbox-empty', '/', 'h2'],
    ['board-empty', '/stories', 'h2'],
    ['tasks-empty', '/tasks', 'h2'],
    ['epics-empty', '/epics', 'h2'],
    ['projects-empty', '/projects', 'h2'],
    ['stats-empty', '/stats', 'h2'],
    ['drops-empty', '/drops', 'h2'],
    ['new-story-empty', '/stories/new', 'h2'],
  ]),
  ...viewsAt('locked', [['sign-in', '/', 'input[name=token]']]),
]
