import { isObject } from '../schema/json.ts'
import type { ApiObject } from '../objects.ts'
import { ageOf } from '../table/age.ts'
import { column, defineBuiltIn } from './define.ts'
import { describes, field } from './schema.ts'
import { textAt } from './simple.ts'

const OBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

export const EVENTS = defineBuiltIn({
  group: '',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  selectableFields: [
    ...OBJECT_FIELDS.map((name) => `involvedObject.${name}`),
    'reason',
    'reportingComponent',
    'source.component',
    'type',
  ],
  columns: [
    column('Last Seen', (event, now) => ageOf(lastSeen(event), now)),
    column('Type', ({ type }) => text(type)),
    column('Reason', ({ reason }) => text(reason)),
    column('Object', involved),
    column('Subobject', ({ involvedObject }) => textAt(involvedObject, 'fieldPath') ?? '', { wide: true }),
    column('Source', (event) => textAt(event['source'], 'component') ?? text(event['reportingComponent']), {
      wide: true,
    }),
    column('Message', ({ message }) => text(message)),
    column('First Seen', (event, now) => ageOf(firstSeen(event), now), { wide: true }),
    column('Count', ({ count }) => (typeof count === 'number' ? count : 1), { type: 'integer', wide: true }),
    column('Name', ({ metadata }) => metadata.name, { wide: true }),
  ],
  schema: describes('Event reports something that happened to an object.', {
    reason: field('string', 'Why, in one CamelCase word for programs.'),
    message: field('string', 'What happened, for people.'),
    type: field('string', 'Normal or Warning.'),
    count: field('integer', 'How often it happened.'),
    involvedObject: describes('The object that the event is about.'),
  }),
})

/** When what an Event tells was seen for the last time, as whoever wrote it says. */
export function lastSeen(event: ApiObject): string | undefined {
  const series = isObject(event['series']) ? text(event['series']['lastObservedTime']) : ''
  return (
    [series, text(event['lastTimestamp']), text(event['eventTime'])].find((at) => at !== '') ??
    event.metadata.creationTimestamp
  )
}

function firstSeen(event: ApiObject): string | undefined {
  return (
    [text(event['firstTimestamp']), text(event['eventTime'])].find((at) => at !== '') ??
    event.metadata.creationTimestamp
  )
}

function involved({ involvedObject }: ApiObject): string {
  return `${(textAt(involvedObject, 'kind') ?? '').toLowerCase()}/${textAt(involvedObject, 'name') ?? ''}`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
