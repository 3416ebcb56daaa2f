import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useId, useMemo, useRef } from 'react'
import { approvePlan } from '../../api/new-story.ts'
import { useRecords } from '../../api/queries.ts'
import { useSave } from '../../api/use-save.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { AreaField, ListField, SelectField, TextField } from '../../components/fields.tsx'
import { Checkbox, FormError, FormSection } from '../../components/form-parts.tsx'
import { Graph } from '../../components/graph/graph.tsx'
import { notify } from '../../components/toast.tsx'
import { bindFields } from '../../model/bind-fields.ts'
import css from './new-story.module.css'
import { planGraph } from './plan-graph.ts'
import { type Plan, approvalWords, editTasks, fieldsOf, toApproval } from './plan.ts'
import { TaskList } from './task-list.tsx'

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

interface PlanFieldsProps {
  readonly plan: Plan
  readonly onChange: (plan: Plan) => void
  readonly errors: ReadonlyMap<string, string>
}

/** What the plan says of the story itself. */
function PlanFields({ plan, onChange, errors }: PlanFieldsProps) {
  const of = bindFields({ form: plan, onChange: (change) => onChange({ ...plan, ...change }), errors })
  const { data: projects = [] } = useRecords('projects')
  return (
    <FormSection title="The story">
      <TextField {...of('name')} label="Name" />
      <SelectField
        {...of('projectId', 'project_id')}
        label="Project"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextField
        {...of('branchName', 'branch_name')}
        label="Branch"
        isOptional
        hint="All tasks work on it. Left empty, it is named after the story."
        isCode
      />
      <AreaField {...of('spec')} label="Specification" isOptional hint="Markdown. Every task is given it." rows={5} />
      <ListField
        {...of('criteria', 'acceptance_criteria')}
        label="Acceptance criteria"
        isOptional
        hint="One statement on each line. When all tasks are finished, an agent judges each of them."
      />
      <TextField
        {...of('check', 'validation')}
        label="How it is checked"
        isOptional
        hint={plan.checkSteps.length === 0 ? undefined : `Steps: ${plan.checkSteps.join('; ')}`}
      />
    </FormSection>
  )
}
