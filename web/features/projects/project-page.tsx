import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { formatSize } from '../../../core/sentences/amounts.ts'
import type { Project } from '../../../core/rest/client/client.ts'
import { useManifest } from '../../api/kubernetes.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { deleteProject, updateProject } from '../../api/setup.ts'
import { type Form, useForm, useRemoval } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { ReadAgainPart } from '../../components/read-part.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { type ProjectForm, PROJECT_FIELDS, toProjectEdit, toProjectForm } from './project-form.ts'
import { ProjectEnvironment } from './project-environment.tsx'
import { ProjectChecks } from './project-checks.tsx'
import { ProjectCheckout } from './project-checkout.tsx'
import { ProjectFields, RepositorySection } from './project-fields.tsx'
import css from './projects.module.css'

/** The view at /projects/{id}: its settings, and the resource behind it. */
export function ProjectPage() {
  const { projectId } = useParams({ from: '/projects/$projectId' })
  const { data: projects, error, refetch } = useRecords('projects')
  const project = projects?.find(({ id }) => id === projectId)
  return (
    <>
      <ViewHeader title={project?.name ?? projectId}>
        <Link to="/projects">All projects</Link>
        {project !== undefined && <span className={`${css['url']} ${css['headUrl']}`}>{project.remote_url}</span>}
        {project?.mirror_bytes !== undefined && (
          <span title="What its clones share on the data volume; measured once an hour">
            mirror: {formatSize(project.mirror_bytes)}
          </span>
        )}
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
      {project !== undefined && <Parts key={project.id} project={project} />}
    </>
  )
}

/** What was typed stays while another tab is open. */
function Parts({ project }: { readonly project: Project }) {
  const [tab, setTab] = useState<'settings' | 'yaml'>('settings')
  const edit = useForm(project, {
    toForm: toProjectForm,
    fields: PROJECT_FIELDS,
    write: async (seen, form: ProjectForm) => updateProject(seen, toProjectEdit(seen, form)),
    onDone: ({ name }) => notify(`Project ${name} saved`),
  })
  return (
    <div className={css['page']}>
      <Tabs
        label="Parts of the project"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'settings', label: 'Settings', content: <Settings project={project} edit={edit} /> },
          { id: 'yaml', label: 'YAML', content: <Yaml project={project} /> },
        ]}
      />
    </div>
  )
}

/** A person who may not change it sees the same fields, and can type in none. */
function Settings({ project, edit }: { readonly project: Project; readonly edit: Form<Project, ProjectForm> }) {
  const canEdit = useSession().may('admin')
  const navigate = useNavigate()
  const removal = useRemoval(edit.seen, {
    remove: deleteProject,
    onDone: () => {
      notify(`Project ${edit.seen.name} deleted`)
      void navigate({ to: '/projects', ignoreBlocker: true })
    },
    onRefused: refuse,
  })
  const props = { isNew: false, form: edit.form, errors: edit.errors.byField, onChange: edit.change }
  return (
    <FormPage
      onSubmit={edit.save}
      errors={edit.errors}
      isLocked={!canEdit}
      aside={<ProjectFields {...props} />}
      actions={
        canEdit && (
          <>
            <Button look="primary" type="submit" isBusy={edit.isPending}>
              Save
            </Button>
            <ConfirmButton
              look="danger"
              question="Delete this project? The repository stays as it is."
              confirm="Delete the project"
              again={removal.changed}
              isBusy={removal.isPending}
              onConfirm={removal.remove}
            >
              Delete…
            </ConfirmButton>
          </>
        )
      }
    >
      <FormError text={edit.errors.rest} />
      <RepositorySection {...props} />
      <ProjectEnvironment {...props} project={project} />
      <ProjectChecks {...props} project={project} />
      <ProjectCheckout {...props} />
    </FormPage>
  )
}

function Yaml({ project }: { readonly project: Project }) {
  const { data, error, refetch } = useManifest({ kind: 'project', id: project.id, version: project })
  const reading = { data, error: error ?? undefined, retry: () => void refetch() }
  return (
    <div className={css['yaml']}>
      <ReadAgainPart what="The YAML" reading={reading} rows={4}>
        {(manifest) => <CodeBlock text={manifest} label="YAML of the project" />}
      </ReadAgainPart>
    </div>
  )
}
