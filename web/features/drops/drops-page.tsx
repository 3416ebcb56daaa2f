import { NotBuilt } from '../../components/not-built.tsx'

export function DropsPage() {
  return <NotBuilt />
}
