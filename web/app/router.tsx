/** Every address of the UI, with its search parameters and the view behind it; views are loaded when they are opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { parseBoardSearch } from '../features/board/search.ts'
import { NotBuilt, NotFound, ViewFailed } from './fallbacks.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: ViewFailed })

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

/** An address that stands while its view is still to be built. */
function toCome<const P extends string>(path: P) {
  return createRoute({ getParentRoute: () => root, path, component: NotBuilt })
}

const routes = root.addChildren([
  inbox,
  stories,
  settings,
  toCome('/stories/$storyId'),
  toCome('/tasks'),
  toCome('/tasks/$taskId'),
  toCome('/executions/$executionId'),
  toCome('/epics'),
  toCome('/projects'),
  toCome('/agents'),
  toCome('/agents/$agentId'),
  toCome('/stats'),
  toCome('/scripts'),
  toCome('/drops'),
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
