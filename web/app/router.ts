/** Every address of the UI, with its search parameters and the view behind it; views are loaded when they are opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { parseBoardSearch } from '../features/board/search.ts'
import { parseExecutionSearch } from '../features/execution/search.ts'
import { parseTaskSearch } from '../features/task/search.ts'
import { parseEpicsSearch } from '../features/epics/search.ts'
import { parseStorySearch } from '../features/story/search.ts'
import { formatTasksSearch, parseTasksSearch } from '../features/tasks/search.ts'
import { parseScriptsSearch } from '../features/scripts/search.ts'
import { parseStatsSearch } from '../features/stats/search.ts'
import { parseOpenSearch } from '../model/open.ts'
import { parseNewTaskSearch } from '../features/new-task/task-form.ts'
import { NotFound, ViewFailed } from './fallbacks.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ViewFailed,
  validateSearch: parseOpenSearch,
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../features/inbox/inbox-page.tsx'), 'InboxPage'),
})

const stories = createRoute({
  getParentRoute: () => root,
  path: '/stories',
  validateSearch: parseBoardSearch,
  component: lazyRouteComponent(() => import('../features/board/board-page.tsx'), 'BoardPage'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
})

const story = createRoute({
  getParentRoute: () => root,
  path: '/stories/$storyId',
  validateSearch: parseStorySearch,
  component: lazyRouteComponent(() => import('../features/story/story-view.tsx'), 'StoryPage'),
})

const newStory = createRoute({
  getParentRoute: () => root,
  path: '/stories/new',
  component: lazyRouteComponent(() => import('../features/new-story/new-story-page.tsx'), 'NewStoryPage'),
})

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>) => formatTasksSearch(parseTasksSearch(search)),
  component: lazyRouteComponent(() => import('../features/tasks/tasks-page.tsx'), 'TasksPage'),
})

const newTask = createRoute({
  getParentRoute: () => root,
  path: '/tasks/new',
  validateSearch: parseNewTaskSearch,
  component: lazyRouteComponent(() => import('../features/new-task/new-task-page.tsx'), 'NewTaskPage'),
})

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId',
  validateSearch: parseTaskSearch,
  component: lazyRouteComponent(() => import('../features/task/task-view.tsx'), 'TaskPage'),
})

const editTask = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$taskId/edit',
  component: lazyRouteComponent(() => import('../features/new-task/edit-task-page.tsx'), 'EditTaskPage'),
})

const execution = createRoute({
  getParentRoute: () => root,
  path: '/executions/$executionId',
  validateSearch: parseExecutionSearch,
  component: lazyRouteComponent(() => import('../features/execution/execution-page.tsx'), 'ExecutionPage'),
})

const epics = createRoute({
  getParentRoute: () => root,
  path: '/epics',
  validateSearch: parseEpicsSearch,
  component: lazyRouteComponent(() => import('../features/epics/epics-page.tsx'), 'EpicsPage'),
})

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyRouteComponent(() => import('../features/projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('../features/projects/project-page.tsx'), 'ProjectPage'),
})

const newProject = createRoute({
  getParentRoute: () => root,
  path: '/projects/new',
  component: lazyRouteComponent(() => import('../features/projects/new-project-page.tsx'), 'NewProjectPage'),
})

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(() => import('../features/agents/agents-page.tsx'), 'AgentsPage'),
})

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId',
  component: lazyRouteComponent(() => import('../features/agents/agent-page.tsx'), 'AgentPage'),
})

const newAgent = createRoute({
  getParentRoute: () => root,
  path: '/agents/new',
  component: lazyRouteComponent(() => import('../features/agents/new-agent-page.tsx'), 'NewAgentPage'),
})

const stats = createRoute({
  getParentRoute: () => root,
  path: '/stats',
  validateSearch: parseStatsSearch,
  component: lazyRouteComponent(() => import('../features/stats/stats-page.tsx'), 'StatsPage'),
})

const scripts = createRoute({
  getParentRoute: () => root,
  path: '/scripts',
  validateSearch: parseScriptsSearch,
  component: lazyRouteComponent(() => import('../features/scripts/scripts-page.tsx'), 'ScriptsPage'),
})

const drops = createRoute({
  getParentRoute: () => root,
  path: '/drops',
  component: lazyRouteComponent(() => import('../features/drops/drops-page.tsx'), 'DropsPage'),
})

const routes = root.addChildren([
  inbox,
  stories,
  story,
  newStory,
  tasks,
  newTask,
  task,
  editTask,
  execution,
  epics,
  projects,
  project,
  newProject,
  agents,
  agent,
  newAgent,
  stats,
  scripts,
  drops,
  settings,
])

export const router = createRouter({
  routeTree: routes,
  defaultPreload: 'intent',
  // Data is kept current by itself; what is loaded ahead is the code of the view.
  defaultPreloadStaleTime: Number.POSITIVE_INFINITY,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
