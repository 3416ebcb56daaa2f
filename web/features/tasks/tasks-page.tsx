import { NotBuilt } from '../../components/not-built.tsx'

export function TasksPage() {
  return <NotBuilt />
}
