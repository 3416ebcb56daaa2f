import { NotBuilt } from '../../components/not-built.tsx'

export function StatsPage() {
  return <NotBuilt />
}
