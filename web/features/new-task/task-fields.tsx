import { Link } from '@tanstack/react-router'
import { useRecords } from '../../api/queries.ts'
import { AreaField, SelectField, TextField } from '../../components/fields.tsx'
import { FieldPair, FormSection } from '../../components/form-parts.tsx'
import { Field } from '../../components/form.tsx'
import { type FormPart, bindFields } from '../../model/bind-fields.ts'
import { RecordPicker } from './record-picker.tsx'
import { type TaskForm, agentHint } from './task-form.ts'

/** What is to be done, where, and by whom. */
export function TaskFields(part: FormPart<TaskForm>) {
  const of = bindFields(part)
  const { form, errors } = part
  const { data: projects = [] } = useRecords('projects')
  const { data: agents = [] } = useRecords('agents')
  const isScript = agents.find(({ id }) => id === form.agent)?.adapter === 'script'
  return (
    <FormSection title="Task">
      <SelectField
        {...of('project')}
        label="Project"
        error={errors.get('project') ?? errors.get('repository_url')}
        hint={
          projects.length === 0 ? (
            <>
              There is no project yet. <Link to="/projects/new">Add a repository</Link>
            </>
          ) : undefined
        }
        options={[
          { value: '', label: formatNoProject(form, projects.length) },
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TextField {...of('name')} label="Title" autoFocus spellCheck placeholder="Show delivery costs before checkout" />
      <AreaField
        {...of('description')}
        label="Description"
        isOptional
        hint="Markdown. What is wrong or wanted, where, and how one sees that it is done."
        rows={6}
      />
      <SelectField
        {...of('agent', 'agent.type')}
        label="Agent"
        error={errors.get('agent.type') ?? errors.get('agent')}
        hint={agentHint(form, agents)}
        options={[
          { value: '', label: 'chosen for me' },
          ...agents.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id }) => ({ value: id, label: id })),
        ]}
      />
      {isScript && (
        <AreaField
          {...of('instructions', 'agent.instructions')}
          label="Script"
          hint="Run by bash, or by what its line #! names, in a clone of the repository; what it changes is the work."
          isCode
          rows={4}
          placeholder="echo hello > hello.txt"
        />
      )}
    </FormSection>
  )
}

/** What the task belongs to, and what it waits for. */
export function TaskLinks({ form, onChange, errors }: FormPart<TaskForm>) {
  const { data: tasks = [] } = useRecords('tasks')
  const { data: stories = [] } = useRecords('stories')
  const one = (id: string): readonly string[] => (id === '' ? [] : [id])
  return (
    <FormSection title="Belongs to, and waits for">
      <FieldPair>
        <Field label="Story" name="story_id" isOptional error={errors.get('story_id')}>
          <RecordPicker
            placeholder="name or id of a story"
            records={stories.filter(({ status }) => status !== 'DONE')}
            value={one(form.story_id)}
            onChange={([story_id = '']) => onChange({ story_id })}
          />
        </Field>
        <Field label="Parent task" name="parent_task_id" isOptional error={errors.get('parent_task_id')}>
          <RecordPicker
            placeholder="name or id of a task"
            records={tasks}
            value={one(form.parent_task_id)}
            onChange={([parent_task_id = '']) => onChange({ parent_task_id })}
          />
        </Field>
      </FieldPair>
      {form.continues !== '' && (
        <Field
          label="Goes on from"
          name="continues"
          isOptional
          error={errors.get('continues')}
          hint="Accepted work: the agent begins with a copy of that session where its program can, else it is told what was done."
        >
          <RecordPicker
            placeholder="name or id of a task"
            records={tasks}
            value={one(form.continues)}
            onChange={([continues = '']) => onChange({ continues })}
          />
        </Field>
      )}
      <Field
        label="Starts after"
        name="depends_on"
        isOptional
        error={errors.get('depends_on')}
        hint="Tasks that are to be accepted first."
      >
        <RecordPicker
          isMany
          placeholder="name or id of a task"
          records={tasks}
          value={form.depends_on}
          onChange={(depends_on) => onChange({ depends_on })}
        />
      </Field>
    </FormSection>
  )
}

/** What no project means: one is to be chosen, unless a story or a parent has one. */
function formatNoProject({ story_id, parent_task_id }: TaskForm, projects: number): string {
  if (projects === 0) return 'none'
  return story_id === '' && parent_task_id === '' ? 'choose a project' : 'that of its story or parent'
}
