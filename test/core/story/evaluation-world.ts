/** One story in VALIDATING, played look by look: what is planned is written, agents answer as the test says. */
import type { EvaluationRole, EvaluationRun, EvaluationSwitches, Story, StoryEvent } from '../../../core/crd/types.ts'
import { criteriaOf } from '../../../core/story/criteria.ts'
import { type EvaluationPlan, planEvaluation } from '../../../core/story/evaluation.ts'
import type { RunFacts } from '../../../core/story/evaluation-runs.ts'
import { makeStoryEvent } from '../../../core/story/events.ts'
import type { Evaluator } from '../../../core/story/evaluators.ts'
import type { OpinionVerdict } from '../../../core/story/opinions.ts'
import { moveStory } from '../../../core/story/status.ts'
import { addMs, toMicroTimestamp } from '../../../core/time.ts'
import { anAgent, aStory } from '../../helpers/build.ts'

export type Played = 'open' | RunFacts | readonly OpinionVerdict[]

export interface EvaluationWorld {
  story: Story
  now: Date
  readonly events: StoryEvent[]
  switches: EvaluationSwitches | undefined
  evaluators: Evaluator[]
  workers: Set<string>
  noBranch: string | undefined
  /** How the run of a role ends; verdicts are in the order of the criteria. Default open. */
  readonly answers: Map<EvaluationRole, Played>
  /** Looks once, and writes what is planned. */
  look(): EvaluationPlan
  /** Looks until nothing changes any more. */
  plan(): EvaluationPlan
  move(to: 'VALIDATING' | 'IN_PROGRESS' | 'SHIPPABLE'): void
  say(criterion: string, verdict: string): void
  later(ms: number): void
}

export const claude: Evaluator = { agent: anAgent({ name: 'claude', spec: { adapter: 'claude' } }) }
export const gemini: Evaluator = { agent: anAgent({ name: 'gemini', spec: { adapter: 'gemini' } }) }

export function openEvaluation(acceptanceCriteria: readonly string[]): EvaluationWorld {
  const status = { status: 'SHIPPABLE', tasks: { total: 1, done: 1 } } as const
  const world: EvaluationWorld = {
    story: aStory({ spec: { acceptanceCriteria, projectId: 'project-a' }, status }),
    now: new Date('2026-03-01T10:00:00Z'),
    events: [],
    switches: undefined,
    evaluators: [claude, gemini],
    workers: new Set(['claude']),
    noBranch: undefined,
    answers: new Map(),
    look: () => look(world),
    plan: () => plan(world),
    move: (to) => void (world.story = { ...world.story, status: moveStory(world.story, [], to, world.now) }),
    say(criterion, verdict) {
      const payload = { criterion, verdict }
      const name = `event-${world.events.length}`
      const spec = { kind: 'eval_verdict', payload, at: toMicroTimestamp(world.now), by: 'ann' } as const
      world.events.push(makeStoryEvent(world.story, name, spec))
    },
    later: (ms) => void (world.now = addMs(world.now, ms)),
  }
  world.move('VALIDATING')
  return world
}

function look(world: EvaluationWorld): EvaluationPlan {
  const plan = planEvaluation({
    ...world,
    evaluators: () => world.evaluators,
    workers: () => world.workers,
    look: (run) => play(world, run),
  })
  const known = new Set(world.events.map(({ metadata }) => metadata.name))
  world.events.push(...plan.events.filter(({ metadata }) => !known.has(metadata.name)))
  const { evaluation: _, ...status } = world.story.status ?? {}
  const next = plan.evaluation === undefined ? status : { ...status, evaluation: plan.evaluation }
  world.story = { ...world.story, status: next }
  if (plan.isPassed) world.story = { ...world.story, status: moveStory(world.story, [], 'REVIEW_READY', world.now) }
  return plan
}

function plan(world: EvaluationWorld): EvaluationPlan {
  for (let rounds = 0; rounds < 50; rounds++) {
    const before = JSON.stringify([world.story, world.events])
    const plan = look(world)
    if (JSON.stringify([world.story, world.events]) === before) return plan
  }
  throw new Error('the evaluation does not come to rest')
}

function play({ answers, story }: EvaluationWorld, { role }: EvaluationRun): RunFacts {
  const played = answers.get(role) ?? 'open'
  if (played === 'open') return { kind: 'open' }
  if (!isVerdicts(played)) return played
  const verdicts = criteriaOf(story.spec).flatMap(({ id }, at) => {
    const verdict = played[at]
    return verdict === undefined ? [] : [{ criterion: id, verdict, evidence: `${role} saw ${verdict}` }]
  })
  return { kind: 'answered', answer: { verdicts } }
}

function isVerdicts(played: RunFacts | readonly OpinionVerdict[]): played is readonly OpinionVerdict[] {
  return Array.isArray(played)
}
