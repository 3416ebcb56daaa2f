import { useCallback, useRef, useEffect, useState } from 'react'
import { formatSize } from '../../../core/sentences/amounts.ts'
import type { Drop } from '../../../core/rest/client/client.ts'
import { useDrops, dropPath } from '../../api/drops.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, NoPermission, Skeleton } from '../../components/view-states.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './drops.module.css'
import { UploadList } from './upload-list.tsx'
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
      {/* An empty page holds nothing that takes the focus, and may have to be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css['page']} tabIndex={data?.length === 0 ? 0 : undefined}>
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

/** The files, newest first; a click downloads. */
function DropList({ drops }: { readonly drops: readonly Drop[] }) {
  return (
    <table className={css['files']}>
      <caption className="unseen">Files of the drop directory</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Size</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {drops.map(({ name, size, modified_at }) => (
          <tr key={name}>
            <th scope="row">
              <a href={dropPath(name)} download={name}>
                {showUnseen(name)}
              </a>
            </th>
            <td>{formatSize(size)}</td>
            <td>
              <TimeAgo at={modified_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * Takes files that are dragged onto the page, and says while they are over it. Without it a file that is let go beside
 * the mark would replace the page.
 *
 * @param onFiles undefined: files are not taken, and are kept from opening in place of the page
 */
function useFileDrag(onFiles: ((files: readonly File[]) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      event.dataTransfer.dropEffect = onFiles === undefined ? 'none' : 'copy'
      setOver(onFiles !== undefined)
    }
    const onLeave = (event: DragEvent): void => {
      // Only where the pointer leaves the window, not from one element to the next.
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent): void => {
      if (event.dataTransfer === null || !event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      const files = [...event.dataTransfer.files]
      if (files.length > 0) onFiles?.(files)
    }
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  }, [onFiles])
  return isOver
}
