import { NotBuilt } from '../../components/not-built.tsx'

export function ProjectsPage() {
  return <NotBuilt />
}
