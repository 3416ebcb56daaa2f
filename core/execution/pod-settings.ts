/** What an installation says of the pods of all its executions (docs/configuration.md, `executionPods`). */
import { type Static, Type } from 'typebox'
import { AUTHORITIES_VARIABLE, AUTHORITY_VARIABLES } from './steps.ts'
import { closed, maybe } from '../schema/fields.ts'

const text = (description: string) => Type.Record(Type.String(), Type.String(), { description })

/** Amounts as Kubernetes writes them; YAML reads `1` as a number. */
const Quantities = Type.Record(Type.String(), Type.Union([Type.String({ minLength: 1 }), Type.Number({ minimum: 0 })]))

const Resources = closed({ requests: maybe(Quantities), limits: maybe(Quantities) })

const Variable = closed({
  name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 253 }),
  value: Type.String(),
})

const ConfigMapKey = closed({
  configMap: Type.String({ minLength: 1, maxLength: 253 }),
  key: Type.String({ pattern: '^[-._a-zA-Z0-9]{1,253}$' }),
})

/** Everything is optional; what is absent is left to Kubernetes. */
export const ExecutionPods = closed({
  /** User and group of every step and owner of the volumes; null: the platform chooses, as OpenShift does. */
  runAsUser: maybe(Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()])),
  resources: maybe(
    Type.Object(
      {
        'copy-runner': maybe(Resources),
        prepare: maybe(Resources),
        agent: maybe(Resources),
        stage: maybe(Resources),
        check: maybe(Resources),
        deliver: maybe(Resources),
      },
      {
        additionalProperties: false,
        description: 'Of each container by its name, and of each check; what an Agent says of agent wins',
      },
    ),
  ),
  /** Variables of every step and of the agent's own program; an Agent's `credentials.env` wins. */
  env: maybe(Type.Array(Variable, { maxItems: 100 })),
  /** Certificates of authorities that every step trusts beside the usual ones. */
  caBundle: maybe(ConfigMapKey),
  tmpSizeLimit: maybe(Type.String({ minLength: 1, description: 'Largest size of /tmp of all steps together' })),
  jobLabels: maybe(text('Labels added to the Jobs, such as the queue of Kueue')),
  labels: maybe(text('Labels added to the pods')),
  annotations: maybe(text('Annotations added to the pods')),
  nodeSelector: maybe(text('Labels that a node must carry; an Agent may add others')),
  tolerations: maybe(Type.Array(Type.Object({}), { maxItems: 20 })),
  affinity: maybe(Type.Object({}, { description: 'Each kind of affinity; an Agent may add others' })),
  priorityClassName: maybe(Type.String({ minLength: 1, description: 'Unless the Agent names another' })),
  imagePullSecrets: maybe(Type.Array(Type.String({ minLength: 1 }), { maxItems: 20 })),
})

export type ExecutionPods = Static<typeof ExecutionPods>

/** The containers of an execution's pod whose resources can be set. */
export type ExecutionContainer = keyof NonNullable<ExecutionPods['resources']>

/** What Slipway sets in a step itself. */
const OWN_VARIABLE = /^(SLIPWAY_.*|SERVICE_.*|GIT_.*|HOME|PATH|TMPDIR|TERM|SSH_AUTH_SOCK)$/

/** Says what is wrong with the variables of the pods; undefined if they can be used. */
export function findVariableProblem({ env = [], caBundle }: ExecutionPods): string | undefined {
  const names = env.map(({ name }) => name)
  const taken = names.find((name) => OWN_VARIABLE.test(name))
  if (taken !== undefined) return `env: Slipway sets ${taken} itself: choose another name`
  const trust: readonly string[] = [AUTHORITIES_VARIABLE, ...AUTHORITY_VARIABLES]
  const trusted = caBundle === undefined ? undefined : names.find((name) => trust.includes(name))
  if (trusted !== undefined) return `env: caBundle sets ${trusted}: leave one of the two out`
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `env: ${twice} stands there twice`
}
