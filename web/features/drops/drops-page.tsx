import { useCallback, useRef } from 'react'
import { useDrops } from '../../api/drops.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState, ErrorState, NoPermission, Skeleton } from '../../components/view-states.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { DropList } from './drop-list.tsx'
import css from './drops.module.css'
import { UploadList } from './upload-list.tsx'
import { useFileDrag } from './use-file-drag.ts'
import { useUploads } from './use-uploads.ts'

/** The view at /drops: files that people and agents give one another. */
export function DropsPage() {
  const { data, error, refetch } = useDrops()
  const { phase, name, may } = useSession()
  const { choose, ...uploading } = useUploads()
  const take = useCallback(
    (files: readonly File[]) => choose(files, new Set(data?.map((drop) => drop.name))),
    [choose, data],
  )
  const isDragged = useFileDrag(may('decide') ? take : undefined)
  if (phase === 'signed-in' && !may('read')) return <NoPermission scope="read" name={name} />
  return (
    <>
      <ViewHeader title="Drops">
        <span data-about>files for agents, and from them</span>
        {may('decide') && <ChooseFiles onChoose={take} />}
      </ViewHeader>
      <div className={css['page']}>
        <UploadList {...uploading} />
        {data === undefined && error === null && <Skeleton rows={4} label="The files are being read" />}
        {data === undefined && error !== null && (
          <ErrorState title="The files could not be read" error={error} onRetry={() => void refetch()} />
        )}
        {data?.length === 0 && (
          <EmptyState title="There are no files">
            What you upload here, every agent finds in the folder <code>$SERVICE_DROP_DIR</code>; what agents put there
            appears here. {may('decide') ? 'Drag files onto this page, or choose them above.' : ''}
          </EmptyState>
        )}
        {data !== undefined && data.length > 0 && <DropList drops={data} />}
      </div>
      {isDragged && (
        <div className={css['target']} aria-hidden>
          <p>Let go to upload</p>
        </div>
      )}
    </>
  )
}

function ChooseFiles({ onChoose }: { readonly onChoose: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <span data-end>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <Button isSmall onClick={() => field.current?.click()}>
        Upload files…
      </Button>
    </span>
  )
}
