import { countOf } from '../../../core/sentences/amounts.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Project, Story, Task } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { ON_ACCEPT_CHOICES } from '../../../core/sentences/accept.ts'
import rows from '../../components/rows.module.css'
import css from './projects.module.css'

/** The view at /projects: the repositories that work is done in. */
export function ProjectsPage() {
  const { data: projects, error, isPending, refetch } = useRecords('projects')
  const { data: tasks = [] } = useRecords('tasks')
  const { data: stories = [] } = useRecords('stories')
  const canEdit = useSession().may('admin')
  const navigate = useNavigate()
  const add = canEdit && (
    <Button isSmall onClick={() => void navigate({ to: '/projects/new' })}>
      Add a repository
    </Button>
  )
  return (
    <>
      <ViewHeader title="Projects">
        <span data-about>the repositories that agents work in</span>
        <span data-end>{projects !== undefined && projects.length > 0 && add}</span>
      </ViewHeader>
      {isPending && <Skeleton rows={4} label="The projects are being read" />}
      {projects === undefined && error !== null && (
        <ErrorState title="The projects could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {projects?.length === 0 && (
        <EmptyState title="No repository yet" action={add}>
          A project is a repository that agents work in: its address, how to log in, the command that tests it, and what
          becomes of accepted work. Tasks and stories name their project.
        </EmptyState>
      )}
      {projects !== undefined && projects.length > 0 && (
        <ul className={css['list']}>
          {projects.map((project) => (
            <ProjectRow key={project.id} project={project} {...countsOf(project, tasks, stories)} />
          ))}
        </ul>
      )}
    </>
  )
}

interface Counts {
  readonly open: number
  readonly all: number
  readonly stories: number
}

const ENDED = ['COMPLETED', 'CANCELLED']

function countsOf({ id }: Project, tasks: readonly Task[], stories: readonly Story[]): Counts {
  const own = tasks.filter(({ project }) => project === id)
  return {
    open: own.filter(({ state }) => !ENDED.includes(state)).length,
    all: own.length,
    stories: stories.filter(({ project_id }) => project_id === id).length,
  }
}

function ProjectRow({ project, open, all, stories }: Counts & { readonly project: Project }) {
  const { id, name, remote_url, test_command, on_accept = 'none', default_branch } = project
  const accept = ON_ACCEPT_CHOICES.find(({ value }) => value === on_accept)?.label ?? on_accept
  return (
    <li className={`${rows['row']} ${css['row']}`} data-row>
      <div>
        <h2>
          <Link to="/projects/$projectId" params={{ projectId: id }}>
            {name}
          </Link>
        </h2>
        <p className={css['url']}>{remote_url}</p>
      </div>
      <p className={css['facts']}>
        <span>{countOf(stories, 'story', 'stories')}</span>
        <span>{countOf(all, 'task')}</span>
        <span>{open} open</span>
      </p>
      <p className={css['facts']}>
        {default_branch !== undefined && <span>{default_branch}</span>}
        {test_command !== undefined && <code>{test_command}</code>}
        <span>On accept: {accept.toLowerCase()}</span>
      </p>
    </li>
  )
}
