import type { VIEW_ICONS } from '../components/icons.tsx'

/** The views of the sidebar, in their order, each with the key that follows `g`. */
export const VIEWS = [
  { id: 'inbox', path: '/', label: 'Inbox', key: 'i', part: 1 },
  { id: 'stories', path: '/stories', label: 'Stories', key: 's', part: 1 },
  { id: 'tasks', path: '/tasks', label: 'Tasks', key: 't', part: 1 },
  { id: 'epics', path: '/epics', label: 'Epics', key: 'e', part: 2 },
  { id: 'projects', path: '/projects', label: 'Projects', key: 'p', part: 2 },
  { id: 'agents', path: '/agents', label: 'Agents', key: 'a', part: 2 },
  { id: 'stats', path: '/stats', label: 'Stats', key: 'm', part: 2 },
  { id: 'scripts', path: '/scripts', label: 'Scripts', key: 'c', part: 3 },
  { id: 'drops', path: '/drops', label: 'Drops', key: 'd', part: 3 },
  { id: 'settings', path: '/settings', label: 'Settings', key: ',', part: 3 },
] as const satisfies readonly View[]

export interface View {
  readonly id: keyof typeof VIEW_ICONS
  readonly path: string
  readonly label: string
  readonly key: string
  /** Parts are divided by a line. */
  readonly part: 1 | 2 | 3
}

/** The views of the bar at the bottom of a phone; the palette leads to the others. */
export const DOCK_VIEWS = VIEWS.filter(({ id }) => ['inbox', 'stories', 'tasks', 'agents'].includes(id))

/** Whether a link to a view is marked at its own address alone; else it is marked at those below it too. */
export function isExact(path: string, pathname: string): boolean {
  // Every address is below the inbox. That of a new task has a link of its own.
  return path === '/' || pathname === '/tasks/new'
}
