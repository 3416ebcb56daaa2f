/**
 * Which rights in Kubernetes each operation asks for, of callers whose rights are Kubernetes' own (specification §9.9).
 *
 * Rights are those of the group slipway.dev in the namespace that is served. get, list, watch, create, update and delete
 * are the usual verbs; decisions are verbs of their own, so that a role can give one and not the other. `scripts` and
 * `drops` exist for this only: no such objects are stored.
 */
import type { Scope } from './route.ts'
import type { OperationId } from './routes.ts'

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'delete'
type Kind = 'tasks' | 'stories' | 'storyevents' | 'epics' | 'projects' | 'agents' | 'executions' | 'drops' | 'scripts'
type TaskDecisionVerb = 'accept' | 'reject' | 'revise' | 'waive' | 'answer' | 'run' | 'resume' | 'cancel' | 'message'

/** Verb and resource, as `kubectl auth can-i` takes them. */
export type Right =
  `${Verb} ${Kind}` | `${TaskDecisionVerb} tasks` | `${'accept' | 'move'} stories` | 'undrain agents' | 'run scripts'

/** Live messages and notifications carry records of these kinds. */
const EVERYTHING_LIVE: readonly Right[] = [
  'watch tasks',
  'watch executions',
  'watch stories',
  'watch storyevents',
  'watch epics',
  'watch projects',
  'watch agents',
]

/** All of these; none: everybody who is signed in. An operation without a row does not compile. */
export const OPERATION_RIGHTS: Readonly<Record<OperationId, readonly Right[]>> = {
  listTasks: ['list tasks'],
  createTask: ['create tasks'],
  getTask: ['get tasks'],
  updateTask: ['update tasks'],
  deleteTask: ['delete tasks'],
  runTask: ['run tasks'],
  acceptTask: ['accept tasks'],
  rejectTask: ['reject tasks'],
  reviseTask: ['revise tasks'],
  waiveTask: ['waive tasks'],
  checkoutTask: ['revise tasks'],
  releaseTask: ['revise tasks'],
  // For the holder alone, who may revise.
  getCheckoutBundle: ['get tasks', 'get executions'],
  getCheckoutSession: ['get tasks', 'get executions'],
  handBackTask: ['revise tasks'],
  messageTask: ['message tasks'],
  cancelTask: ['cancel tasks'],
  restoreTask: ['create tasks', 'delete tasks'],
  resumeTask: ['resume tasks'],
  answerTask: ['answer tasks'],
  listSubtasks: ['list tasks'],
  listTaskExecutions: ['list executions'],
  streamTaskLogs: ['watch tasks', 'get executions'],
  streamTaskEvents: ['watch tasks', 'get executions'],
  getTaskDeploymentStatus: ['get tasks'],
  getTaskManifest: ['get tasks'],
  getTaskKubernetes: ['get tasks'],
  validateTask: ['create tasks'],
  elaborateTask: ['create tasks'],
  listWorkspaces: ['list projects'],

  listExecutions: ['list executions'],
  getExecution: ['get executions'],
  getExecutionStdout: ['get executions'],
  getExecutionStderr: ['get executions'],
  readExecutionLog: ['get executions'],
  searchExecutionLog: ['get executions'],
  getServiceLogs: ['get executions'],
  getExecutionDiff: ['get executions'],
  getRoundDiff: ['get executions'],
  getCheckLog: ['get executions'],
  getExecutionEvents: ['get executions'],
  streamExecutionEvents: ['watch executions'],
  listArtifacts: ['get executions'],
  getArtifact: ['get executions'],
  getExecutionManifest: ['get executions'],
  getExecutionKubernetes: ['get executions'],

  listStories: ['list stories'],
  createStory: ['create stories'],
  elaborateStory: ['create stories'],
  approveStory: ['create stories', 'create tasks'],
  getStory: ['get stories'],
  updateStory: ['update stories'],
  deleteStory: ['delete stories'],
  orderStories: ['update stories'],
  moveStory: ['move stories'],
  acceptStory: ['accept stories'],
  runStory: ['run tasks'],
  listStoryTasks: ['list tasks'],
  createStoryTask: ['create tasks'],
  listStoryEvents: ['list storyevents'],
  // StoryEvents themselves are written by our own accounts alone.
  createStoryEvent: ['update stories'],
  getStoryGraph: ['get stories', 'list tasks'],
  getStoryDeploymentStatus: ['get stories'],
  getStoryManifest: ['get stories'],
  getStoryKubernetes: ['get stories'],

  listEpics: ['list epics'],
  createEpic: ['create epics'],
  getEpic: ['get epics'],
  updateEpic: ['update epics'],
  deleteEpic: ['delete epics'],
  listEpicStories: ['list stories'],
  getEpicManifest: ['get epics'],

  listProjects: ['list projects'],
  createProject: ['create projects'],
  // It reaches out to what the caller names, with our credentials.
  tryRepository: ['create projects'],
  getProject: ['get projects'],
  updateProject: ['update projects'],
  deleteProject: ['delete projects'],
  getProjectManifest: ['get projects'],
  buildEnvironment: ['update projects'],
  deleteEnvironment: ['update projects'],

  listAgents: ['list agents'],
  createAgent: ['create agents'],
  getAgent: ['get agents'],
  updateAgent: ['update agents'],
  deleteAgent: ['delete agents'],
  getAgentManifest: ['get agents'],
  getAgentsStatus: ['list agents'],
  listPrograms: ['list agents'],
  undrainAgent: ['undrain agents'],

  getStats: ['list tasks'],

  listDrops: ['list drops'],
  getDrop: ['get drops'],
  uploadDrops: ['create drops'],

  listScripts: ['list scripts'],
  runScript: ['run scripts'],

  getVapidKey: [],
  // Notifications name tasks and their questions.
  subscribePush: ['watch tasks'],
  unsubscribePush: [],
  testPush: ['watch tasks'],
  getServiceWorker: [],

  // Where no signature is asked for.
  receiveWebhook: ['create tasks'],

  openLiveConnection: EVERYTHING_LIVE,
  beginSession: [],
  getSession: [],
  endSession: [],
  beginSignIn: [],
  endSignIn: [],
  getVersion: [],
  getHealth: [],
  getReadiness: [],
  getOpenApiDocument: [],
  getDocsPage: [],
  getDocsPageScript: [],
  getDocsRenderer: [],
  getDocsStyle: [],
}

/** Whoever has all of these sees `actions` in records. */
export const DECISION_RIGHTS: readonly Right[] = [
  'accept tasks',
  'reject tasks',
  'revise tasks',
  'waive tasks',
  'answer tasks',
  'run tasks',
  'resume tasks',
  'cancel tasks',
  'message tasks',
  'accept stories',
  'move stories',
]

/**
 * What a session says of rights, in the scopes that clients know: any one of these is enough for the scope. It is what
 * a page may offer; what is allowed each operation asks for itself.
 */
export const SCOPE_RIGHTS: Readonly<Record<Scope, readonly Right[]>> = {
  read: ['list tasks'],
  decide: ['create tasks', 'create stories', ...DECISION_RIGHTS],
  admin: ['update projects', 'update agents', 'run scripts'],
}
