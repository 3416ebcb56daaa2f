import { NotBuilt } from '../../components/not-built.tsx'

export function NewTaskPage() {
  return <NotBuilt />
}
