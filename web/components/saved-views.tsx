import { Bookmark, Pencil, Trash2 } from 'lucide-react'
import { type SyntheticEvent, useId, useRef, useState } from 'react'
import { type SavedView, withoutView, withView, withViewRenamed } from '../model/saved-views.ts'
import { Button } from './button.tsx'
import filters from './filters.module.css'
import { SMALL_ICON } from './icons.tsx'
import css from './saved-views.module.css'

interface SavedViewsProps {
  readonly views: readonly SavedView[]
  readonly onChange: (views: readonly SavedView[]) => void
  /** The search part of the address as it is now. */
  readonly query: string
  readonly onOpen: (query: string) => void
}

/** Filters by their names: open, keep, rename, delete. */
export function SavedViews({ views, onChange, query, onOpen }: SavedViewsProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const current = views.find((view) => view.query === query)
  const place = (): void => {
    const [box, element] = [button.current?.getBoundingClientRect(), panel.current]
    if (box === undefined || element === null) return
    element.style.top = `${box.bottom + 4}px`
    element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - 300))}px`
  }
  const open = (view: SavedView): void => {
    panel.current?.hidePopover()
    onOpen(view.query)
  }
  return (
    <>
      <button
        ref={button}
        className={filters['pill']}
        data-on={current !== undefined || undefined}
        popoverTarget={id}
        onClick={place}
      >
        <Bookmark size={SMALL_ICON} aria-hidden />
        {current?.name ?? 'Saved views'}
      </button>
      <div ref={panel} id={id} popover="auto" className={css['panel']} role="group" aria-label="Saved views">
        {views.length === 0 && <p className={css['none']}>Filters that you use often get a name here.</p>}
        <ul>
          {views.map((view) => (
            <ViewRow key={view.name} view={view} views={views} onChange={onChange} onOpen={() => open(view)} />
          ))}
        </ul>
        <NameForm
          label="Name of a new view"
          submit="Save these filters"
          onName={(name) => onChange(withView(views, { name, query }))}
        />
      </div>
    </>
  )
}

interface ViewRowProps extends Pick<SavedViewsProps, 'views' | 'onChange'> {
  readonly view: SavedView
  readonly onOpen: () => void
}

function ViewRow({ view: { name }, views, onChange, onOpen }: ViewRowProps) {
  const [isRenamed, setRenamed] = useState(false)
  if (isRenamed)
    return (
      <li>
        <NameForm
          label={`New name of ${name}`}
          submit="Rename"
          initial={name}
          onName={(next) => {
            setRenamed(false)
            onChange(withViewRenamed(views, name, next))
          }}
        />
      </li>
    )
  return (
    <li className={css['view']}>
      <button className={css['open']} onClick={onOpen}>
        {name}
      </button>
      <button className={css['icon']} aria-label={`Rename ${name}`} onClick={() => setRenamed(true)}>
        <Pencil size={SMALL_ICON} aria-hidden />
      </button>
      <button className={css['icon']} aria-label={`Delete ${name}`} onClick={() => onChange(withoutView(views, name))}>
        <Trash2 size={SMALL_ICON} aria-hidden />
      </button>
    </li>
  )
}

interface NameFormProps {
  readonly label: string
  readonly submit: string
  readonly initial?: string
  readonly onName: (name: string) => void
}

function NameForm({ label, submit, initial = '', onName }: NameFormProps) {
  const [name, setName] = useState(initial)
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    onName(name.trim())
    setName('')
  }
  return (
    <form className={css['form']} onSubmit={onSubmit}>
      <input aria-label={label} placeholder={label} value={name} onChange={({ target }) => setName(target.value)} />
      <Button isSmall type="submit" disabled={name.trim() === ''}>
        {submit}
      </Button>
    </form>
  )
}
