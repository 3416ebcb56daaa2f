import { useNameOf } from '../../api/queries.ts'
import { OpenLink } from '../../components/open-link.tsx'

/** The task of a run, by its name. */
export function TaskLink({ id }: { readonly id: string }) {
  const name = useNameOf('tasks', id)
  return (
    <OpenLink what={{ kind: 'task', id }} title={id}>
      {name}
    </OpenLink>
  )
}
