import { useState } from 'react'
import { formatSpan } from '../../../core/sentences/amounts.ts'
import { useDraft } from '../../api/drafts.ts'
import { useElaboration } from '../../api/new-story.ts'
import { useRecords } from '../../api/queries.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useSession } from '../../api/session.ts'
import { useHeld } from '../../api/unsaved.ts'
import { Button } from '../../components/button.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { NoPermission } from '../../components/view-states.tsx'
import { type Draft, formatDraft, NO_DRAFT, parseDraft } from './draft.ts'
import css from './new-story.module.css'
import { PlainStoryForm } from './plain-story-form.tsx'
import { PlanForm } from './plan-form.tsx'
import { emptyPlan, planOf } from './plan.ts'
import { PromptForm } from './prompt-form.tsx'

/** The view at /stories/new. */
export function NewStoryPage() {
  const { phase, name, may } = useSession()
  return (
    <>
      <ViewHeader title="New story" />
      {phase === 'signed-in' && !may('decide') ? <NoPermission scope="decide" name={name} /> : <NewStory />}
    </>
  )
}

/** From a wish to a plan to a story; what was begun survives a reload. */
function NewStory() {
  const [text, setText] = useDraft('new-story')
  useHeld(text !== '')
  const [isPlain, setPlain] = useState(false)
  const { data: projects = [] } = useRecords('projects')
  const stored = parseDraft(text)
  const draft: Draft = { ...stored, projectId: stored.projectId === '' ? (projects[0]?.id ?? '') : stored.projectId }
  const keep = (next: Draft): void => setText(formatDraft(next))
  const elaboration = useElaboration((plan, { projectId, prompt }) =>
    keep({ prompt, projectId, plan: planOf(plan, projectId) }),
  )
  if (isPlain) return <PlainStoryForm projectId={draft.projectId} onBack={() => setPlain(false)} />
  if (elaboration.startedAtMs !== undefined)
    return <Elaborating startedAtMs={elaboration.startedAtMs} prompt={draft.prompt} onCancel={elaboration.cancel} />
  if (draft.plan !== undefined)
    return (
      <PlanForm
        plan={draft.plan}
        onChange={(plan) => keep({ ...draft, plan })}
        onDone={() => keep(NO_DRAFT)}
        onDiscard={() => keep({ ...draft, plan: undefined })}
      />
    )
  return (
    <div className={css['page']}>
      <PromptForm
        draft={draft}
        onChange={keep}
        refusal={elaboration.refusal}
        onElaborate={(agent) => elaboration.start({ prompt: draft.prompt, projectId: draft.projectId, agent })}
        onByHand={() => keep({ ...draft, plan: emptyPlan(draft.projectId, draft.prompt) })}
        onPlain={() => setPlain(true)}
      />
    </div>
  )
}

interface ElaboratingProps {
  readonly startedAtMs: number
  readonly prompt: string
  readonly onCancel: () => void
}

/** While an agent plans: what happens, how long it has taken, and the way out. */
function Elaborating({ startedAtMs, prompt, onCancel }: ElaboratingProps) {
  return (
    <div className={css['page']}>
      <div className={css['waiting']} role="status" aria-label="An agent plans the story">
        <h2>
          An agent plans the story <Elapsed startedAtMs={startedAtMs} />
        </h2>
        <blockquote>{prompt}</blockquote>
        <p>
          It reads a throw-away copy of the repository, then writes the name, the specification, the acceptance criteria
          and the tasks. That takes half a minute to a few minutes, at most five. You then change what you want; nothing
          is stored, and nothing is pushed.
        </p>
        <p>Leaving this page, or closing it, stops the agent. What you wrote is kept.</p>
      </div>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}

/** Not read out each second. */
function Elapsed({ startedAtMs }: { readonly startedAtMs: number }) {
  return (
    <span className={css['elapsed']} aria-hidden>
      {formatSpan(useServerTime(1_000) - startedAtMs)}
    </span>
  )
}
