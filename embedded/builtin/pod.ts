import { type JsonObject, type JsonValue, isObject, objectsIn } from '../schema/json.ts'
import type { FieldError } from '../schema/errors.ts'
import { validateLabelName } from '../names.ts'
import type { ApiObject } from '../objects.ts'
import { AGE, column, defineBuiltIn } from './define.ts'
import { describes, field, listOf } from './schema.ts'
import { textAt } from './simple.ts'

const DEFAULT_GRACE_SECONDS = 30

export const PODS = defineBuiltIn({
  group: '',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  subresources: ['log', 'binding'],
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
    'status.podIP',
  ],
  columns: [
    column('Ready', ready),
    column('Status', displayedStatus),
    column('Restarts', restarts),
    AGE,
    column('IP', ({ status }) => textAt(status, 'podIP') ?? '<none>', { wide: true }),
    column('Node', ({ spec }) => textAt(spec, 'nodeName') ?? '<none>', { wide: true }),
    column('Nominated Node', ({ status }) => textAt(status, 'nominatedNodeName') ?? '<none>', { wide: true }),
    column('Readiness Gates', () => '<none>', { wide: true }),
  ],
  rules: { prepareCreate, applyDefaults, validate, graceSeconds },
  schema: describes('Pod is a group of containers that run together on one node.', {
    spec: describes('What to run.', {
      initContainers: listOf(
        describes('A container that runs to its end before the next one starts.'),
        'In this order.',
      ),
      containers: listOf(describes('A container: image, command, environment, mounts.'), 'At least one.'),
      restartPolicy: field('string', 'Always, OnFailure or Never.'),
      activeDeadlineSeconds: field('integer', 'The pod fails when it runs longer than this.'),
      terminationGracePeriodSeconds: field('integer', 'Time between SIGTERM and SIGKILL; 30 by default.'),
      nodeName: field('string', 'The node that runs the pod, once it is bound.'),
    }),
    status: describes('What the node reports.', {
      phase: field('string', 'Pending, Running, Succeeded, Failed or Unknown.'),
    }),
  }),
})

function prepareCreate(pod: ApiObject): void {
  pod['status'] = { phase: 'Pending', qosClass: 'BestEffort' }
}

function applyDefaults({ spec }: ApiObject): void {
  if (!isObject(spec)) return
  spec['restartPolicy'] ??= 'Always'
  spec['terminationGracePeriodSeconds'] ??= DEFAULT_GRACE_SECONDS
  spec['schedulerName'] ??= 'default-scheduler'
  // `kubectl debug` reads it without a look whether it is there.
  spec['securityContext'] ??= {}
  for (const container of [...objectsIn(spec['initContainers']), ...objectsIn(spec['containers'])]) {
    container['terminationMessagePath'] ??= '/dev/termination-log'
    container['terminationMessagePolicy'] ??= 'File'
    container['imagePullPolicy'] ??= 'IfNotPresent'
  }
}

function validate({ spec }: ApiObject, old: ApiObject | undefined): FieldError[] {
  if (old !== undefined) return []
  return validatePodSpec(spec, 'spec', ['Always', 'OnFailure', 'Never'])
}

/** What a Pod's spec must have here; also for the template of a Job. */
export function validatePodSpec(
  spec: JsonValue | undefined,
  path: string,
  restartPolicies: readonly string[],
): FieldError[] {
  if (!isObject(spec)) return [{ reason: 'FieldValueRequired', field: `${path}.containers`, message: 'Required value' }]
  const containers = objectsIn(spec['containers'])
  const policy = spec['restartPolicy'] ?? 'Always'
  const known = restartPolicies.map((name) => `"${name}"`).join(', ')
  return [
    ...(containers.length > 0 ? [] : [required(`${path}.containers`)]),
    ...containers.flatMap((container, i) => problemsIn(container, `${path}.containers[${i}]`)),
    ...objectsIn(spec['initContainers']).flatMap((container, i) =>
      problemsIn(container, `${path}.initContainers[${i}]`),
    ),
    ...objectsIn(spec['volumes']).flatMap((volume, i) => problemsOfName(volume, `${path}.volumes[${i}]`)),
    ...(typeof policy === 'string' && restartPolicies.includes(policy)
      ? []
      : [
          {
            reason: 'FieldValueNotSupported',
            field: `${path}.restartPolicy`,
            message: `Unsupported value: ${JSON.stringify(policy)}: supported values: ${known}`,
          } as const,
        ]),
  ]
}

function problemsIn(container: JsonObject, path: string): FieldError[] {
  const image = textAt(container, 'image') === null ? [required(`${path}.image`)] : []
  return [...problemsOfName(container, path), ...image]
}

function problemsOfName(part: JsonObject, path: string): FieldError[] {
  const name = textAt(part, 'name') ?? ''
  return name === '' ? [required(`${path}.name`)] : validateLabelName(`${path}.name`, name)
}

function required(name: string): FieldError {
  return { reason: 'FieldValueRequired', field: name, message: 'Required value' }
}

/** A pod that no node runs, or that has ended, goes at once; a running one when its node has ended it. */
function graceSeconds({ spec, status }: ApiObject, wanted: number | undefined): number {
  const isBound = (textAt(spec, 'nodeName') ?? '') !== ''
  const phase = textAt(status, 'phase')
  if (!isBound || phase === 'Succeeded' || phase === 'Failed') return 0
  const own = isObject(spec) ? spec['terminationGracePeriodSeconds'] : undefined
  return Math.max(0, wanted ?? (typeof own === 'number' ? own : DEFAULT_GRACE_SECONDS))
}

function statuses({ status }: ApiObject, name: string): JsonObject[] {
  return isObject(status) ? objectsIn(status[name]) : []
}

function ready(pod: ApiObject): string {
  const total = isObject(pod['spec']) ? objectsIn(pod['spec']['containers']).length : 0
  const count = statuses(pod, 'containerStatuses').filter(({ ready }) => ready === true).length
  return `${count}/${total}`
}

/** The word that kubectl shows: the first container that says more than the phase does. */
function displayedStatus(pod: ApiObject): string {
  const { status, metadata } = pod
  const phase = textAt(status, 'phase') ?? 'Unknown'
  if (metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed') return 'Terminating'
  return textAt(status, 'reason') ?? initStatus(pod) ?? containerReason(pod) ?? phase
}

function initStatus(pod: ApiObject): string | undefined {
  const inits = statuses(pod, 'initContainerStatuses')
  const at = inits.findIndex(
    ({ state }) => !(isObject(state) && isObject(state['terminated']) && state['terminated']['exitCode'] === 0),
  )
  if (at < 0) return undefined
  const reason = reasonOf(inits[at])
  return reason === undefined || reason === 'PodInitializing' ? `Init:${at}/${inits.length}` : `Init:${reason}`
}

function containerReason(pod: ApiObject): string | undefined {
  return statuses(pod, 'containerStatuses')
    .map(reasonOf)
    .find((reason) => reason !== undefined)
}

function reasonOf(status: JsonObject | undefined): string | undefined {
  const state = status?.['state']
  if (!isObject(state)) return undefined
  return textAt(state['waiting'], 'reason') ?? textAt(state['terminated'], 'reason') ?? undefined
}

function restarts(pod: ApiObject): string {
  const counts = statuses(pod, 'containerStatuses').map(({ restartCount }) => restartCount)
  return String(counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0))
}
