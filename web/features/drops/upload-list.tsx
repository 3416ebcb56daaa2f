import { formatSize } from '../../../core/sentences/amounts.ts'
import { Button } from '../../components/button.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import css from './drops.module.css'
import { type Upload, endedUploads } from './uploads.ts'
import type { Uploads } from './use-uploads.ts'

/** Uploads under way, and what became of the others. */
export function UploadList({ uploads, send, stop, forgetEnded }: Omit<Uploads, 'choose'>) {
  if (uploads.length === 0) return null
  return (
    <section className={css['uploads']} aria-labelledby="uploads">
      <div className={css['head']}>
        <h2 id="uploads">Uploads</h2>
        {endedUploads(uploads).size > 0 && (
          <Button isSmall look="quiet" onClick={forgetEnded}>
            Clear
          </Button>
        )}
      </div>
      <ul>
        {uploads.map((upload) => (
          <li key={upload.id} data-phase={upload.phase}>
            <span className={css['name']}>{showUnseen(upload.file.name)}</span>
            <Progress upload={upload} />
            <span className={css['buttons']}>
              {upload.phase === 'asks' && (
                <Button isSmall look="danger" onClick={() => send(upload.id)}>
                  Replace
                </Button>
              )}
              {upload.phase === 'failed' && (
                <Button isSmall onClick={() => send(upload.id)}>
                  Try again
                </Button>
              )}
              {['asks', 'waiting', 'sending'].includes(upload.phase) && (
                <Button isSmall aria-label={`Cancel ${upload.file.name}`} onClick={() => stop(upload)}>
                  Cancel
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Progress({ upload: { file, phase, sentBytes, problem } }: { readonly upload: Upload }) {
  if (phase === 'sending')
    return (
      <span className={css['progress']}>
        <progress max={Math.max(1, file.size)} value={sentBytes} aria-label={`Upload of ${file.name}`} />
        {formatSize(sentBytes)} of {formatSize(file.size)}
      </span>
    )
  const words = {
    asks: 'There is a file of this name already. Replace it?',
    waiting: 'Waits for the others',
    stored: `Stored, ${formatSize(file.size)}`,
    stopped: 'Cancelled',
    failed: problem ?? 'Failed',
  }
  return (
    <span className={css['words']} role={phase === 'failed' ? 'alert' : 'status'}>
      {words[phase]}
    </span>
  )
}
