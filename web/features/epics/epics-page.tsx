import { NotBuilt } from '../../components/not-built.tsx'

export function EpicsPage() {
  return <NotBuilt />
}
