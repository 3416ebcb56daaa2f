import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRecords } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { AreaField, SelectField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { bindFields } from '../../model/bind-fields.ts'
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
  const of = bindFields({ form: draft, onChange: (change) => onChange({ ...draft, ...change }), errors: new Map() })
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
      <SelectField
        {...of('projectId', 'project_id')}
        label="Project"
        options={(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <AreaField
        {...of('prompt')}
        label="What do you want?"
        hint="One sentence is enough. Kept in this browser until the story is there."
        rows={5}
        required
        autoFocus
        placeholder="People can take the report with them as a file that spreadsheets read."
      />
      <SelectField
        label="Who plans it"
        name="agent"
        hint="An agent that reads a copy of the repository, and changes nothing."
        value={agent}
        onChange={setAgent}
        options={[{ value: '', label: 'chosen for me' }, ...planners.map(({ id }) => ({ value: id, label: id }))]}
      />
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
