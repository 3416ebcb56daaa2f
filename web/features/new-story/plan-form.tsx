import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useId, useMemo, useRef } from 'react'
import { approvePlan } from '../../api/new-story.ts'
import { useSave } from '../../api/use-save.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Checkbox, FormError } from '../../components/form-parts.tsx'
import { Graph } from '../../components/graph/graph.tsx'
import { notify } from '../../components/toast.tsx'
import css from './new-story.module.css'
import { PlanFields } from './plan-fields.tsx'
import { planGraph } from './plan-graph.ts'
import { TaskList } from './task-list.tsx'
import type { Plan } from './plan.ts'
import { approvalWords, editTasks, fieldsOf, toApproval } from './plan.ts'

interface PlanFormProps {
  readonly plan: Plan
  readonly onChange: (plan: Plan) => void
  /** It has become a story. */
  readonly onDone: () => void
  readonly onDiscard: () => void
}

/** The plan as a form, with the graph that it will become beside it. */
export function PlanForm({ plan, onChange, onDone, onDiscard }: PlanFormProps) {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const consequence = useId()
  const { save, isPending, errors } = useSave(() => approve(plan), {
    fields: fieldsOf(plan),
    onDone: (id) => {
      onDone()
      notify(`${plan.name}: the story is there`)
      void navigate({ to: '/stories/$storyId', params: { storyId: id } })
    },
  })
  useEffect(() => {
    if (errors.byField.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [errors])
  return (
    <div className={css['plan']}>
      <form
        ref={form}
        className={css['form']}
        aria-label="Plan of the story"
        onSubmit={(event) => {
          event.preventDefault()
          save(undefined)
        }}
      >
        <PlanFields plan={plan} onChange={onChange} errors={errors.byField} />
        <TaskList
          tasks={plan.tasks}
          errors={errors.byField}
          onEdit={(edit) => onChange({ ...plan, tasks: editTasks(plan.tasks, edit) })}
        />
        <Checkbox
          label="Start as soon as the story is there"
          isChecked={plan.startsAtOnce}
          onChange={(startsAtOnce) => onChange({ ...plan, startsAtOnce })}
        />
        <FormError text={errors.rest} />
        <p id={consequence} className={css['lead']}>
          {approvalWords(plan)}
        </p>
        <p className={css['actions']}>
          <Button
            type="submit"
            look="primary"
            isBusy={isPending}
            disabled={plan.tasks.length === 0}
            aria-describedby={consequence}
          >
            {isPending ? 'The branch is being made…' : 'Approve the plan'}
          </Button>
          <ConfirmButton look="quiet" question="Throw this plan away?" confirm="Throw away" onConfirm={onDiscard}>
            Discard the plan
          </ConfirmButton>
        </p>
        <p className={css['lead']}>
          The plan is kept in this browser until you approve or discard it, also if you leave this page. The story’s
          epic and priority are given on its own page.
        </p>
      </form>
      <PlanPicture plan={plan} />
    </div>
  )
}

/** Follows the edits, a moment behind what is typed. */
function PlanPicture({ plan }: { readonly plan: Plan }) {
  const tasks = useDeferredValue(plan.tasks)
  const { items, links } = useMemo(() => planGraph({ tasks }), [tasks])
  return (
    <aside className={css['picture']} aria-label="The plan as a graph">
      <h2>What waits for what</h2>
      {items.length === 0 ? (
        <p>A plan needs at least one task.</p>
      ) : (
        <Graph items={items} links={links} label={`Graph of the plan: ${items.length} tasks`} />
      )}
      <p>Each task waits for the one before it; a subtask waits for its task.</p>
    </aside>
  )
}

async function approve(plan: Plan): Promise<string> {
  const { id } = await approvePlan(toApproval(plan))
  return id
}
