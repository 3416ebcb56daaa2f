import { NotBuilt } from '../../components/not-built.tsx'

export function ExecutionPage() {
  return <NotBuilt />
}
