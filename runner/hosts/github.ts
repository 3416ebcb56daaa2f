import { itemsOf, textOf } from '../../lib/host-api.ts'
import { type HostAdapter, type HostRepository, getPage } from './host.ts'

/**
 * GitHub's REST API, version 2022-11-28 (docs.github.com/rest/pulls/pulls); GitHub Enterprise has the same below
 * `/api/v3`.
 */
export const github: HostAdapter = {
  async find(repository, { branch, base }) {
    const owner = repository.path.split('/')[0] ?? ''
    const query = new URLSearchParams({ state: 'open', head: `${owner}:${branch}`, base })
    const { body } = await repository.call({ method: 'GET', url: `${pulls(repository)}?${query.toString()}` })
    return textOf(itemsOf(body)[0], 'html_url')
  },
  async create(repository, { branch, base, title, text }) {
    const answer = await repository.call({
      method: 'POST',
      url: pulls(repository),
      body: { title, head: branch, base, body: text },
      answers: [422],
    })
    if (answer.status !== 422) return getPage(repository, answer, 'html_url')
    // 422 also means that the branch is unknown or has nothing new; only the text tells which.
    if (JSON.stringify(answer.body).includes('already exists')) return undefined
    return repository.refuse(answer)
  },
}

function pulls({ apiUrl, path }: HostRepository): string {
  return `${apiUrl}/repos/${path.split('/').map(encodeURIComponent).join('/')}/pulls`
}
