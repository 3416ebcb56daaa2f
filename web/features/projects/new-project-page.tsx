import { useNavigate } from '@tanstack/react-router'
import { repositoryName } from '../../../core/ids.ts'
import { useSession } from '../../api/session.ts'
import { type ProjectCreate, createProject } from '../../api/setup.ts'
import { useForm } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { notify } from '../../components/toast.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { NoPermission } from '../../components/view-states.tsx'
import { type ProjectForm, PROJECT_FIELDS, toProjectForm, toProjectInput } from './project-form.ts'
import { ProjectEnvironment } from './project-environment.tsx'
import { ProjectChecks } from './project-checks.tsx'
import { ProjectCheckout } from './project-checkout.tsx'
import { ProjectFields, RepositorySection } from './project-fields.tsx'

/** Named after its repository where no name was given, as the placeholder says. */
function toCreate(form: ProjectForm): ProjectCreate {
  const name = form.name.trim() === '' ? repositoryName(form.remote_url) : form.name
  return { ...(form.id === '' ? {} : { id: form.id.trim() }), ...toProjectInput({ ...form, name }) }
}

/** The view at /projects/new. */
export function NewProjectPage() {
  const { may, name } = useSession()
  const navigate = useNavigate()
  const { form, change, save, isPending, errors } = useForm(undefined, {
    toForm: () => toProjectForm(),
    fields: PROJECT_FIELDS,
    write: async (_none, typed: ProjectForm) => createProject(toCreate(typed)),
    onDone: (project) => {
      notify(`Project ${project.name} created`)
      void navigate({ to: '/projects/$projectId', params: { projectId: project.id } })
    },
  })
  const props = { isNew: true, form, errors: errors.byField, onChange: change }
  return (
    <>
      <ViewHeader title="Add a repository" />
      {!may('admin') ? (
        <NoPermission scope="admin" name={name} />
      ) : (
        <FormPage
          onSubmit={save}
          errors={errors}
          aside={<ProjectFields {...props} />}
          actions={
            <>
              <Button look="primary" type="submit" isBusy={isPending}>
                Create the project
              </Button>
              <Button look="quiet" onClick={() => void navigate({ to: '/projects', ignoreBlocker: true })}>
                Cancel
              </Button>
            </>
          }
        >
          <FormError text={errors.rest} />
          <RepositorySection {...props} />
          <ProjectEnvironment {...props} />
          <ProjectChecks {...props} />
          <ProjectCheckout {...props} />
        </FormPage>
      )}
    </>
  )
}
