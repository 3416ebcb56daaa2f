import { NotBuilt } from '../../components/not-built.tsx'

export function StoryPage() {
  return <NotBuilt />
}
