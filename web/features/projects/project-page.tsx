import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { formatSize } from '../../../core/sentences/amounts.ts'
import type { Project } from '../../../core/rest/client/client.ts'
import { useManifest } from '../../api/kubernetes.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { deleteProject, updateProject } from '../../api/setup.ts'
import { type Form, useForm, useRemoval } from '../../api/use-form.ts'
import { FormError } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { ReadPart } from '../../components/read-part.tsx'
import { SettingsButtons, SettingsTabs, SettingsYaml } from '../../components/settings-page.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { toReading } from '../../model/reading.ts'
import { type ProjectForm, PROJECT_FIELDS, toProjectEdit, toProjectForm } from './project-form.ts'
import { ProjectEnvironment } from './project-environment.tsx'
import { ProjectChecks } from './project-checks.tsx'
import { ProjectCheckout } from './project-checkout.tsx'
import { ProjectFields, RepositorySection } from './project-fields.tsx'
import css from './projects.module.css'

/** The view at /projects/{id}: its settings, and the resource behind it. */
export function ProjectPage() {
  const { projectId } = useParams({ from: '/projects/$projectId' })
  const projects = toReading(useRecords('projects'))
  const project = projects.data?.find(({ id }) => id === projectId)
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
      <ReadPart what="The project" reading={projects} rows={4}>
        {() =>
          project === undefined ? (
            <EmptyState title="There is no such project" action={<Link to="/projects">To all projects</Link>}>
              Nothing has the id {projectId}. It may have been deleted.
            </EmptyState>
          ) : (
            <Parts key={project.id} project={project} />
          )
        }
      </ReadPart>
    </>
  )
}

/** What was typed stays while another tab is open. */
function Parts({ project }: { readonly project: Project }) {
  const edit = useForm(project, {
    toForm: toProjectForm,
    fields: PROJECT_FIELDS,
    write: async (seen, form: ProjectForm) => updateProject(seen, toProjectEdit(seen, form)),
    onDone: ({ name }) => notify(`Project ${name} saved`),
  })
  return (
    <SettingsTabs
      noun="project"
      settings={<Settings project={project} edit={edit} />}
      yaml={<Yaml project={project} />}
    />
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
          <SettingsButtons
            noun="project"
            isSaving={edit.isPending}
            question="Delete this project? The repository stays as it is."
            removal={removal}
          />
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
  return <SettingsYaml noun="project" reading={useManifest({ kind: 'project', id: project.id, version: project })} />
}
