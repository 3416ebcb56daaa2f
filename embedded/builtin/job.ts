import { type JsonObject, isObject, jsonEquals, objectsIn } from '../schema/json.ts'
import type { FieldError } from '../schema/errors.ts'
import type { ApiObject } from '../objects.ts'
import { formatDuration } from '../table/age.ts'
import { AGE, column, defineBuiltIn } from './define.ts'
import { validatePodSpec } from './pod.ts'
import { describes, field } from './schema.ts'
import { textAt } from './simple.ts'

export const JOBS = defineBuiltIn({
  group: 'batch',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  selectableFields: ['status.successful=status.succeeded'],
  columns: [
    column('Status', displayedStatus),
    column('Completions', completions),
    column('Duration', duration),
    AGE,
    column(
      'Containers',
      (job) =>
        containersOf(job)
          .map((container) => textAt(container, 'name'))
          .join(','),
      { wide: true },
    ),
    column(
      'Images',
      (job) =>
        containersOf(job)
          .map((container) => textAt(container, 'image'))
          .join(','),
      { wide: true },
    ),
    column('Selector', selectorText, { wide: true }),
  ],
  rules: { prepareCreate, applyDefaults, validate, defaultPropagation: 'Orphan' },
  schema: describes('Job runs pods until enough of them have succeeded.', {
    spec: describes('What to run and how often.', {
      template: describes('The pods that the Job makes.'),
      backoffLimit: field('integer', 'Failed pods before the Job counts as failed; 6 by default.'),
      activeDeadlineSeconds: field('integer', 'The Job fails when it runs longer than this.'),
      ttlSecondsAfterFinished: field('integer', 'The Job is deleted this long after its end.'),
      suspend: field('boolean', 'While true, no pods are made and running ones are ended.'),
    }),
    status: describes('How far the Job is.'),
  }),
})

const UID_LABELS = ['batch.kubernetes.io/controller-uid', 'controller-uid']
const NAME_LABELS = ['batch.kubernetes.io/job-name', 'job-name']

/** As the real server: the pods of a Job carry its uid and name, and its selector asks for the uid. */
function prepareCreate(job: ApiObject): void {
  job['status'] = {}
  const { spec, metadata } = job
  if (!isObject(spec) || !isObject(spec['template']) || spec['manualSelector'] === true) return
  const { template } = spec
  const templateMeta: JsonObject = isObject(template['metadata']) ? template['metadata'] : {}
  const labels: JsonObject = isObject(templateMeta['labels']) ? templateMeta['labels'] : {}
  for (const label of UID_LABELS) labels[label] = metadata.uid ?? ''
  for (const label of NAME_LABELS) labels[label] = metadata.name
  template['metadata'] = { ...templateMeta, labels }
  spec['selector'] = { matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid ?? '' } }
  // The real server gives a Job without labels of its own those of its template.
  if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = stringsOf(labels)
}

function applyDefaults({ spec }: ApiObject): void {
  if (!isObject(spec)) return
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) {
    spec['completions'] = 1
    spec['parallelism'] = 1
  }
  spec['parallelism'] ??= 1
  spec['backoffLimit'] ??= 6
  spec['completionMode'] ??= 'NonIndexed'
  spec['suspend'] ??= false
  spec['podReplacementPolicy'] ??= 'TerminatingOrFailed'
}

function validate({ spec }: ApiObject, old: ApiObject | undefined): FieldError[] {
  if (!isObject(spec)) return [{ reason: 'FieldValueRequired', field: 'spec.template', message: 'Required value' }]
  if (old !== undefined) return validateImmutable(spec, old)
  const template = isObject(spec['template']) ? spec['template'] : {}
  return validatePodSpec(template['spec'], 'spec.template.spec', ['OnFailure', 'Never'])
}

function validateImmutable(spec: JsonObject, old: ApiObject): FieldError[] {
  const before = isObject(old['spec']) ? old['spec'] : {}
  return ['template', 'selector', 'completions', 'completionMode']
    .filter((name) => !jsonEquals(spec[name], before[name]))
    .map((name) => ({
      reason: 'FieldValueInvalid',
      field: `spec.${name}`,
      message: 'Invalid value: field is immutable',
    }))
}

function stringsOf(labels: JsonObject): { [key: string]: string } {
  const entries = Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(entries)
}

function hasCondition({ status }: ApiObject, type: string): boolean {
  const conditions = isObject(status) ? objectsIn(status['conditions']) : []
  return conditions.some((condition) => condition['type'] === type && condition['status'] === 'True')
}

function displayedStatus(job: ApiObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete'
  if (hasCondition(job, 'Failed')) return 'Failed'
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  if (hasCondition(job, 'Suspended')) return 'Suspended'
  if (hasCondition(job, 'FailureTarget')) return 'FailureTarget'
  return hasCondition(job, 'SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running'
}

function completions({ spec, status }: ApiObject): string {
  const succeeded = isObject(status) && typeof status['succeeded'] === 'number' ? status['succeeded'] : 0
  const wanted = isObject(spec) && typeof spec['completions'] === 'number' ? spec['completions'] : 1
  return `${succeeded}/${wanted}`
}

function duration({ status }: ApiObject, now: Date): string {
  const start = textAt(status, 'startTime')
  if (start === null) return ''
  const end = textAt(status, 'completionTime')
  const until = end === null ? now.getTime() : Date.parse(end)
  return formatDuration(Math.floor((until - Date.parse(start)) / 1000))
}

function containersOf({ spec }: ApiObject): JsonObject[] {
  const template = isObject(spec) ? spec['template'] : undefined
  const podSpec = isObject(template) ? template['spec'] : undefined
  return isObject(podSpec) ? objectsIn(podSpec['containers']) : []
}

function selectorText({ spec }: ApiObject): string {
  const selector = isObject(spec) ? spec['selector'] : undefined
  const labels = isObject(selector) && isObject(selector['matchLabels']) ? selector['matchLabels'] : {}
  return Object.entries(stringsOf(labels))
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
