import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import css from './story.module.css'

interface EditableSectionProps {
  readonly title: string
  readonly note?: string | undefined
  readonly canEdit: boolean
  /** The form in its place while it is edited. */
  readonly renderForm: (onEnd: () => void) => ReactNode
  readonly children: ReactNode
}

/** A part of the story with its heading, that can be edited in place. */
export function EditableSection({ title, note, canEdit, renderForm, children }: EditableSectionProps) {
  // Undefined: it was not edited yet. Once it was, its button has the focus again.
  const [isEditing, setEditing] = useState<boolean>()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={css['headingLine']}>
        <h2 id={id} className={css['heading']}>
          {title}
        </h2>
        {note !== undefined && <span className={css['note']}>{note}</span>}
        {canEdit && isEditing !== true && (
          <Button
            isSmall
            look="quiet"
            aria-label={`Edit: ${title}`}
            autoFocus={isEditing === false}
            onClick={() => setEditing(true)}
          >
            Edit
          </Button>
        )}
      </div>
      {isEditing === true ? renderForm(() => setEditing(false)) : children}
    </section>
  )
}
