import { Link } from '@tanstack/react-router'
import type { Story } from '../../../core/rest/client/client.ts'
import { NameOf, useRecord, useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useStoryDeployment } from '../../api/story-details.ts'
import { Button } from '../../components/button.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { deployedWords, hasDeployment } from '../../model/deployment.ts'
import { EditPlace } from './edit-fields.tsx'
import { EditableSection } from './editable-section.tsx'
import css from './story.module.css'

/** Where the story belongs: project, epic, priority; and whether its work runs already. */
export function StoryPlace({ story }: { readonly story: Story }) {
  const canEdit = useSession().may('decide')
  const { data: epics = [] } = useRecords('epics')
  const { project_id, epic_id, validation } = story
  const { data: project } = useRecord('projects', project_id ?? '')
  return (
    <EditableSection
      title="Details"
      canEdit={canEdit}
      renderForm={(onEnd) => <EditPlace story={story} onEnd={onEnd} />}
    >
      <dl className={css['facts']}>
        <dt>Project</dt>
        <dd>
          {project_id === undefined ? (
            'none'
          ) : (
            <Link to="/projects/$projectId" params={{ projectId: project_id }}>
              <NameOf kind="projects" id={project_id} />
            </Link>
          )}
        </dd>
        <dt>Epic</dt>
        <dd>{epic_id === undefined ? 'none' : (epics.find(({ id }) => id === epic_id)?.name ?? epic_id)}</dd>
        <dt>Priority</dt>
        <dd>{story.priority}</dd>
        {validation?.success_criteria !== undefined && (
          <>
            <dt>Check</dt>
            <dd>{validation.success_criteria}</dd>
          </>
        )}
        {hasDeployment(project) && (
          <>
            <dt>Deployed</dt>
            <dd>
              <Deployed story={story} />
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <TimeAgo at={story.created_at} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <TimeAgo at={story.updated_at} />
        </dd>
      </dl>
    </EditableSection>
  )
}

function Deployed({ story }: { readonly story: Story }) {
  const { data, error, retry } = useStoryDeployment(story)
  if (data !== undefined) {
    const commits = data.fix_commits.length
    return commits === 0 ? 'no commits yet' : deployedWords(data, commits)
  }
  if (error === undefined) return '…'
  return (
    <>
      {error.message}{' '}
      <Button isSmall onClick={retry}>
        Try again
      </Button>
    </>
  )
}
