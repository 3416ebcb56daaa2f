import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRecords } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { Field, Select, TextArea } from '../../components/form.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import type { Draft } from './draft.ts'
import css from './new-story.module.css'

interface PromptFormProps {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  /** Why there is no plan; undefined before anybody asked for one. */
  readonly refusal: string | undefined
  /** @param agent that plans; undefined: chosen by the rules */
  readonly onElaborate: (agent: string | undefined) => void
  readonly onByHand: () => void
  readonly onPlain: () => void
}

/** What is wanted, in one's own words, and the three ways to a story. */
export function PromptForm({ draft, onChange, refusal, onElaborate, onByHand, onPlain }: PromptFormProps) {
  const projects = useRecords('projects')
  const { data: agents = [] } = useRecords('agents')
  const [agent, setAgent] = useState('')
  if (projects.data?.length === 0)
    return (
      <EmptyState title="There is no project yet" action={<Link to="/projects">To the projects</Link>}>
        A project is a git repository. A story’s tasks work on a branch of it, so it comes first.
      </EmptyState>
    )
  const planners = agents.filter(({ adapter }) => adapter !== 'script')
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        onElaborate(agent === '' ? undefined : agent)
      }}
    >
      <p className={css['lead']}>
        A story is a goal that several tasks reach together, on one branch. Say what you want; an agent reads the
        repository and proposes a plan, which you change and approve. Nothing is stored before that.
      </p>
      <Field label="Project" name="project_id">
        <Select
          value={draft.projectId}
          onChange={(projectId) => onChange({ ...draft, projectId })}
          options={(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      <Field
        label="What do you want?"
        name="prompt"
        hint="One sentence is enough. Kept in this browser until the story is there."
      >
        <TextArea
          rows={5}
          required
          autoFocus
          value={draft.prompt}
          onChange={(prompt) => onChange({ ...draft, prompt })}
          placeholder="People can take the report with them as a file that spreadsheets read."
        />
      </Field>
      <Field
        label="Who plans it"
        name="agent"
        hint="An agent that reads a copy of the repository, and changes nothing."
      >
        <Select
          value={agent}
          onChange={setAgent}
          options={[{ value: '', label: 'chosen for me' }, ...planners.map(({ id }) => ({ value: id, label: id }))]}
        />
      </Field>
      <FormError text={refusal} />
      <p className={css['actions']}>
        <Button type="submit" look="primary" disabled={draft.prompt.trim() === '' || draft.projectId === ''}>
          Let an agent plan it
        </Button>
        <Button onClick={onByHand} disabled={draft.projectId === ''}>
          Write the plan myself
        </Button>
        <Button look="quiet" onClick={onPlain}>
          Only a story, no tasks yet
        </Button>
      </p>
    </form>
  )
}
