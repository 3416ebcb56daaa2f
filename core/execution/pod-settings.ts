/** What an installation says of the pods of all its executions (docs/configuration.md, `executionPods`). */
import type { Static } from 'typebox'
import { Type } from 'typebox'

const text = (description: string) => Type.Record(Type.String(), Type.String(), { description })

/** Amounts as Kubernetes writes them; YAML reads `1` as a number. */
const Quantities = Type.Record(Type.String(), Type.Union([Type.String({ minLength: 1 }), Type.Number({ minimum: 0 })]))

const Resources = Type.Object(
  { requests: Type.Optional(Quantities), limits: Type.Optional(Quantities) },
  { additionalProperties: false },
)

/** Everything is optional; what is absent is left to Kubernetes. */
export const ExecutionPods = Type.Object(
  {
    /** User and group of every step and owner of the volumes; null: the platform chooses, as OpenShift does. */
    runAsUser: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()])),
    resources: Type.Optional(
      Type.Object(
        {
          'copy-runner': Type.Optional(Resources),
          prepare: Type.Optional(Resources),
          agent: Type.Optional(Resources),
          deliver: Type.Optional(Resources),
        },
        { additionalProperties: false, description: 'Of each container by its name; what an Agent says of agent wins' },
      ),
    ),
    tmpSizeLimit: Type.Optional(
      Type.String({ minLength: 1, description: 'Largest size of /tmp of all steps together' }),
    ),
    jobLabels: Type.Optional(text('Labels added to the Jobs, such as the queue of Kueue')),
    labels: Type.Optional(text('Labels added to the pods')),
    annotations: Type.Optional(text('Annotations added to the pods')),
    nodeSelector: Type.Optional(text('Labels that a node must carry; an Agent may add others')),
    tolerations: Type.Optional(Type.Array(Type.Object({}), { maxItems: 20 })),
    affinity: Type.Optional(Type.Object({}, { description: 'Each kind of affinity; an Agent may add others' })),
    priorityClassName: Type.Optional(Type.String({ minLength: 1, description: 'Unless the Agent names another' })),
    imagePullSecrets: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 20 })),
  },
  { additionalProperties: false },
)

export type ExecutionPods = Static<typeof ExecutionPods>

/** The containers of an execution's pod whose resources can be set. */
export type ExecutionContainer = keyof NonNullable<ExecutionPods['resources']>
