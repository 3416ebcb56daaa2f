import { NotBuilt } from '../../components/not-built.tsx'

export function ScriptsPage() {
  return <NotBuilt />
}
