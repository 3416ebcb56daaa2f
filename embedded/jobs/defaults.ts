import { isObject } from '../schema/json.ts'
import type { JsonObject } from '../schema/json.ts'
import { CONTROLLER_UID_LABEL, JOB_NAME_LABEL, objectAt } from './model.ts'

/**
 * Fills in place what the API server fills when a Job is created: the defaults of its spec, and the selector and
 * pod labels made from its uid, so that no two Jobs claim the same pods.
 *
 * `metadata.name` and `metadata.uid` must be set. A Job with `manualSelector` keeps its own selector.
 */
export function defaultJob(job: JsonObject): void {
  const spec = objectAt(job, 'spec')
  const template = objectAt(spec, 'template')
  job['spec'] = spec
  spec['template'] = template
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1
  for (const [name, value] of Object.entries(DEFAULTS)) spec[name] ??= value
  spec['podReplacementPolicy'] ??= isObject(spec['podFailurePolicy']) ? 'Failed' : 'TerminatingOrFailed'
  if (spec['manualSelector'] === true) return
  const { name, uid } = objectAt(job, 'metadata')
  if (typeof name !== 'string' || typeof uid !== 'string') return
  const metadata = objectAt(template, 'metadata')
  template['metadata'] = metadata
  metadata['labels'] = { ...objectAt(metadata, 'labels'), ...jobLabels(name, uid) }
  spec['selector'] = { matchLabels: { [CONTROLLER_UID_LABEL]: uid } }
}

const DEFAULTS = {
  parallelism: 1,
  backoffLimit: 6,
  completionMode: 'NonIndexed',
  suspend: false,
  manualSelector: false,
}

/** The labels of a Job's pods; the two without prefix are what kubectl and tools of before 1.27 select by. */
export function jobLabels(name: string, uid: string): { [label: string]: string } {
  return { [CONTROLLER_UID_LABEL]: uid, [JOB_NAME_LABEL]: name, 'controller-uid': uid, 'job-name': name }
}
