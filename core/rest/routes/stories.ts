import { Type } from 'typebox'
import {
  ApprovedStoryRecord,
  STORY,
  StoryActionResult,
  StoryEventCreate,
  StoryOrderBody,
  StoryPlaces,
  StoryStatusBody,
} from '../../kinds/story.ts'
import { TASK } from '../../kinds/task.ts'
import { StoryApproval } from '../requests/approve.ts'
import { KubernetesRecord } from '../records/kubernetes.ts'
import { recordRoutes } from '../record-routes.ts'
import { StoryEventRecord, StoryGraphRecord } from '../records/story.ts'
import { DeploymentStatus } from '../records/task.ts'
import { StoryPlan } from '../../answer/story-plan.ts'
import { ElaborateQuery, StoryElaborate } from '../requests/elaborate.ts'
import { PageQuery } from '../requests/shapes.ts'
import { body, json, lateBody, route } from '../route.ts'

const story = json(STORY.record)
const task = json(TASK.record)
const done = json(StoryActionResult)

/** Rows of the route table about stories. */
export const STORY_ROUTES = [
  // Before /api/stories/{id}, which would take `order` for an id.
  route({
    id: 'orderStories',
    method: 'PUT',
    path: '/api/stories/order',
    summary: 'Let stories of one column of the board stand in this order',
    body: body(StoryOrderBody),
    responses: { 200: json(StoryPlaces) },
    errors: [400, 404, 409, 413, 415],
  }),
  ...recordRoutes(STORY, {
    one: 'a story',
    order: ' by status, then priority',
    delete: 'with its events; its tasks stay',
  }),
  route({
    id: 'elaborateStory',
    method: 'POST',
    path: '/api/stories/elaborate',
    summary: 'Let an agent plan a story from a request; nothing is stored',
    isBucketed: true,
    query: ElaborateQuery,
    body: body(StoryElaborate),
    responses: { 200: json(StoryPlan) },
    errors: [400, 413, 415, 422, 429, 502, 503, 504],
  }),
  route({
    id: 'approveStory',
    method: 'POST',
    path: '/api/stories/approve',
    summary: 'Make a story with its tasks from a plan, and push its branch',
    body: lateBody(StoryApproval),
    responses: { 201: json(ApprovedStoryRecord) },
    errors: [400, 409, 413, 415, 503, 504],
  }),
  route({
    id: 'moveStory',
    method: 'PUT',
    path: '/api/stories/{id}/status',
    summary: 'Move a story to another status',
    body: lateBody(StoryStatusBody),
    responses: { 200: story },
    errors: [400, 404, 409, 412, 413, 415],
  }),
  route({
    id: 'acceptStory',
    method: 'POST',
    path: '/api/stories/{id}/accept',
    summary: 'Accept a REVIEW_READY story',
    responses: { 200: done },
    errors: [404, 409, 412],
  }),
  route({
    id: 'runStory',
    method: 'POST',
    path: '/api/stories/{id}/run',
    summary: 'Queue the PENDING tasks of a story; each waits for its dependency',
    responses: { 202: done },
    errors: [404, 409, 412],
  }),
  route({
    id: 'listStoryTasks',
    method: 'GET',
    path: '/api/stories/{id}/tasks',
    summary: 'List the tasks of a story in chain order',
    query: PageQuery,
    responses: { 200: json(Type.Array(TASK.record)) },
    errors: [400, 404],
  }),
  route({
    id: 'createStoryTask',
    method: 'POST',
    path: '/api/stories/{id}/tasks',
    summary: 'Add a task to a story, at the end of its chain',
    body: body(TASK.create),
    responses: { 201: task },
    errors: [400, 404, 409, 413, 415],
  }),
  route({
    id: 'listStoryEvents',
    method: 'GET',
    path: '/api/stories/{id}/events',
    summary: 'List the events of a story, newest first, 1,000 at a time without a limit',
    query: PageQuery,
    responses: { 200: json(Type.Array(StoryEventRecord)) },
    errors: [400, 404],
  }),
  route({
    id: 'createStoryEvent',
    method: 'POST',
    path: '/api/stories/{id}/events',
    summary: 'Record an event of a story',
    body: body(StoryEventCreate),
    responses: { 201: json(StoryEventRecord) },
    errors: [400, 404, 413, 415],
  }),
  route({
    id: 'getStoryGraph',
    method: 'GET',
    path: '/api/stories/{id}/graph',
    summary: 'The graph of a story: its tasks and their dependencies',
    responses: { 200: json(StoryGraphRecord) },
    errors: [404],
  }),
  route({
    id: 'getStoryDeploymentStatus',
    method: 'GET',
    path: '/api/stories/{id}/deployment-status',
    summary: "Whether the running build contains the story's work",
    responses: { 200: json(DeploymentStatus) },
    errors: [404],
  }),
  route({
    id: 'getStoryKubernetes',
    method: 'GET',
    path: '/api/stories/{id}/kubernetes',
    summary: 'The Kubernetes events of a story',
    responses: { 200: json(KubernetesRecord) },
    errors: [404],
  }),
] as const
