import { Download } from 'lucide-react'
import { formatSize } from '../../../core/sentences/amounts.ts'
import type { Execution } from '../../../core/rest/client/client.ts'
import { useArtifacts } from '../../api/executions.ts'
import { SMALL_ICON } from '../../components/icons.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './execution.module.css'

/** The files that the run left besides its changes, each to be downloaded. */
export function ArtifactsTab({ execution, isLive }: { readonly execution: Execution; readonly isLive: boolean }) {
  const { data, error, retry } = useArtifacts(execution.id, isLive)
  if (error !== undefined) return <ErrorState title="The artifacts could not be read" error={error} onRetry={retry} />
  if (data === undefined) return <Skeleton rows={3} label="The artifacts are being read" />
  if (data.length === 0)
    return (
      <EmptyState title={isLive ? 'No artifacts yet' : 'It left no artifacts'}>
        Files that the agent puts into the folder <code>$SERVICE_ARTIFACT_DIR</code>, such as reports and pictures, are
        kept here.
      </EmptyState>
    )
  return (
    <ul className={css['artifacts']}>
      {data.map(({ name, size, modified_at }) => (
        <li key={name}>
          <a
            href={`/api/executions/${encodeURIComponent(execution.id)}/artifacts/${encodeURIComponent(name)}`}
            download={name}
          >
            <Download size={SMALL_ICON} aria-hidden />
            {showUnseen(name)}
          </a>
          <span>{formatSize(size)}</span>
          <TimeAgo at={modified_at} />
        </li>
      ))}
    </ul>
  )
}
