import { NotBuilt } from '../../components/not-built.tsx'

export function NewStoryPage() {
  return <NotBuilt />
}
