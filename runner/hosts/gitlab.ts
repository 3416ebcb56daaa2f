import { itemsOf, textOf } from '../../lib/host-api.ts'
import { type HostAdapter, type HostRepository, getPage } from './host.ts'

/** GitLab's REST API, version 4 (docs.gitlab.com/api/merge_requests). */
export const gitlab: HostAdapter = {
  async find(repository, { branch, base }) {
    const query = new URLSearchParams({ state: 'opened', source_branch: branch, target_branch: base })
    const { body } = await repository.call({ method: 'GET', url: `${mergeRequests(repository)}?${query.toString()}` })
    return textOf(itemsOf(body)[0], 'web_url')
  },
  async create(repository, { branch, base, title, text }) {
    const answer = await repository.call({
      method: 'POST',
      url: mergeRequests(repository),
      body: { source_branch: branch, target_branch: base, title, description: text },
      answers: [409],
    })
    return answer.status === 409 ? undefined : getPage(repository, answer, 'web_url')
  },
}

/** A project is addressed by its whole path as one segment. */
function mergeRequests({ apiUrl, path }: HostRepository): string {
  return `${apiUrl}/projects/${encodeURIComponent(path)}/merge_requests`
}
