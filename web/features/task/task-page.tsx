import { NotBuilt } from '../../components/not-built.tsx'

export function TaskPage() {
  return <NotBuilt />
}
