import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { deleteProject, updateProject, useSave, useSetupManifest } from '../../api/setup.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import type { ProjectForm } from './project-form.ts'
import { PROJECT_FIELDS, toProjectEdit, toProjectForm } from './project-form.ts'
import { ProjectFields } from './project-fields.tsx'
import css from './projects.module.css'

/** The view at /projects/{id}: its settings, and the resource behind it. */
export function ProjectPage() {
  const { projectId } = useParams({ from: '/projects/$projectId' })
  const { data: projects, error, refetch } = useRecords('projects')
  const project = projects?.find(({ id }) => id === projectId)
  const [tab, setTab] = useState<'settings' | 'yaml'>('settings')
  return (
    <>
      <ViewHeader title={project?.name ?? projectId}>
        <Link to="/projects">All projects</Link>
        {project !== undefined && <span className={css['url']}>{project.remote_url}</span>}
      </ViewHeader>
      {projects === undefined && error === null && <Skeleton rows={4} label="The project is being read" />}
      {projects === undefined && error !== null && (
        <ErrorState title="The project could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {projects !== undefined && project === undefined && (
        <EmptyState title="There is no such project" action={<Link to="/projects">To all projects</Link>}>
          Nothing has the id {projectId}. It may have been deleted.
        </EmptyState>
      )}
      {project !== undefined && (
        <div className={css['page']}>
          <Tabs
            label="Parts of the project"
            value={tab}
            onChange={setTab}
            tabs={[
              { id: 'settings', label: 'Settings', content: <Settings key={project.id} project={project} /> },
              { id: 'yaml', label: 'YAML', content: <Yaml id={project.id} /> },
            ]}
          />
        </div>
      )}
    </>
  )
}

/** A person who may not change it sees the same fields, and can type in none. */
function Settings({ project }: { readonly project: Project }) {
  const canEdit = useSession().may('admin')
  const navigate = useNavigate()
  // What the form was made from: what others change meanwhile is not taken for a change of this person.
  const [base, setBase] = useState(project)
  const [form, setForm] = useState(() => toProjectForm(base))
  const { save, isPending, errors } = useSave(
    async (typed: ProjectForm) => updateProject(project.id, toProjectEdit(base, typed)),
    {
      fields: PROJECT_FIELDS,
      onDone: (saved) => {
        setBase(saved)
        setForm(toProjectForm(saved))
        notify(`Project ${saved.name} saved`)
      },
    },
  )
  const remove = useDecision(() => deleteProject(project.id).then(() => `Project ${project.name} deleted`), {
    onDone: (message) => {
      notify(message)
      void navigate({ to: '/projects' })
    },
    onRefused: refuse,
  })
  return (
    <FormPage
      onSubmit={() => save(form)}
      actions={
        canEdit && (
          <>
            <Button look="primary" type="submit" isBusy={isPending}>
              Save
            </Button>
            <ConfirmButton
              look="danger"
              question="Delete this project? The repository stays as it is."
              confirm="Delete the project"
              isBusy={remove.isPending}
              onConfirm={() => remove.decide(undefined)}
            >
              Delete…
            </ConfirmButton>
          </>
        )
      }
    >
      <FormError text={errors.rest} />
      <fieldset disabled={!canEdit} className={css['fields']}>
        <ProjectFields
          isNew={false}
          form={form}
          errors={errors.byField}
          onChange={(change) => setForm((before) => ({ ...before, ...change }))}
        />
      </fieldset>
    </FormPage>
  )
}

function Yaml({ id }: { readonly id: string }) {
  const { data, error, refetch } = useSetupManifest('project', id)
  if (error !== null)
    return <ErrorState title="The YAML could not be read" error={error} onRetry={() => void refetch()} />
  return (
    <div className={css['yaml']}>
      {data === undefined ? (
        <Skeleton rows={4} label="The YAML is being read" />
      ) : (
        <CodeBlock text={data} label="YAML of the project" />
      )}
    </div>
  )
}
