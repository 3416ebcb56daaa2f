import type { Candidate } from '../../core/agent/fitness.ts'
import { classify } from '../../core/agent/classify.ts'
import { type TrackRecords, createTrackRecords } from '../../core/agent/track-record.ts'
import type { Agent, Execution, Task } from '../../core/crd/types.ts'
import { LABELS } from '../../core/names.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate } from '../measure.ts'
import { text } from '../../test/helpers/build.ts'

const EXECUTIONS = { full: 10_000, quick: 2000 }
const AGENTS = 10
const PROJECTS = 20
const DECISIONS_PER_TURN = 200

/** The choice of an agent by rules, beside the reading of the texts that it compares. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const count = EXECUTIONS[size]
  const records = createTrackRecords()
  for (let n = 0; n < count; n++) records.enter({ object: makeExecution(n) })
  const agents = Array.from({ length: AGENTS }, (_, n) => makeAgent(n))
  const now = systemClock.now()
  const decide = (n: number): unknown => classify(makeTask(n), candidatesFor(agents, records, n, now))
  const hints = agents.map(({ spec }) => spec.classifier?.hint ?? '')
  const read = (n: number): unknown => [makeTask(n).spec.description ?? '', ...hints].map(splitIntoWords)
  const { ours, floor } = await alternate(
    repeats,
    () => timeOf(decide),
    () => timeOf(read),
  )
  return [
    {
      name: `agent by rules, ${AGENTS} agents, ${count.toLocaleString('en')} past executions`,
      unit: 'ms',
      ours,
      floor: { what: 'its texts split into words', value: floor },
      aim: { atMost: 5 },
    },
  ]
}

function splitIntoWords(text: string): unknown {
  return text.toLowerCase().match(/\p{L}{4,}/gu)
}

/** Milliseconds of one decision. */
function timeOf(decide: (n: number) => unknown): Promise<number> {
  const startedAt = performance.now()
  for (let n = 0; n < DECISIONS_PER_TURN; n++) decide(n)
  return Promise.resolve((performance.now() - startedAt) / DECISIONS_PER_TURN)
}

function candidatesFor(agents: readonly Agent[], records: TrackRecords, n: number, now: Date): Candidate[] {
  return agents.map((agent) => ({
    agent,
    now,
    queueLength: 0,
    holders: [],
    record: records.of(agent.metadata.name, projectOf(n)),
  }))
}

function projectOf(n: number): string {
  return `project-${n % PROJECTS}`
}

function makeExecution(n: number): Execution {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Execution',
    metadata: { name: `task-${n}-1`, namespace: 'default', labels: { [LABELS.project]: projectOf(n) } },
    spec: { taskRef: { name: `task-${n}` }, agent: `agent-${(n * 7) % AGENTS}`, purpose: 'Run', attempt: 1 },
    status:
      n % 3 === 0
        ? { state: 'FAILED', error: { category: 'failed', message: text('the tests fail') } }
        : { state: 'COMPLETED' },
  }
}

function makeAgent(n: number): Agent {
  const classifier = { enabled: true, hint: 'large refactorings, database migrations, documentation of interfaces' }
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Agent',
    metadata: { name: `agent-${n}`, namespace: 'default' },
    spec: { adapter: 'claude', classifier },
  }
}

function makeTask(n: number): Task {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: { name: `next-${n}`, namespace: 'default' },
    spec: {
      title: 'Write the migrations of the database',
      description: 'What is to be done, in some words that are longer than they need be. '.repeat(20),
      project: projectOf(n),
    },
  }
}
