import { crdInteger, crdListOf, crdString } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { resourceAmounts } from './resource-amounts.ts'

const at = (path: string): string => `spec.services[]${path}`
const word = (path: string) => crdString('Project', at(path))
const words = (path: string) => crdListOf('Project', at(path), word(`${path}[]`))

/** What runs beside the agents of a project, within the limits of its CRD. */
export const services = crdListOf(
  'Project',
  'spec.services',
  closed({
    name: word('.name'),
    image: word('.image'),
    command: maybe(words('.command')),
    args: maybe(words('.args')),
    env: maybe(crdListOf('Project', at('.env'), closed({ name: word('.env[].name'), value: word('.env[].value') }))),
    ports: maybe(crdListOf('Project', at('.ports'), crdInteger('Project', at('.ports[]')))),
    ready: maybe(closed({ exec: maybe(words('.ready.exec')), tcp: maybe(crdInteger('Project', at('.ready.tcp'))) })),
    resources: maybe(resourceAmounts('Project', at('.resources'))),
  }),
)
