import { NotBuilt } from '../../components/not-built.tsx'

export function AgentsPage() {
  return <NotBuilt />
}
