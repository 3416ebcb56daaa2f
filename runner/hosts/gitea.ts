import { itemsOf, textOf } from '../../lib/host-api.ts'
import { type HostAdapter, type HostRepository, getPage } from './host.ts'

const PER_PAGE = 50
/** Open pull requests beyond this many are not searched. */
const MAX_PAGES = 40

/** The REST API of Gitea and Forgejo, version 1 (docs.gitea.com/api); its list has no filter for a branch. */
export const gitea: HostAdapter = {
  async find(repository, { branch, base }) {
    for (let page = 1; page <= MAX_PAGES; page++) {
      const query = new URLSearchParams({ state: 'open', limit: String(PER_PAGE), page: String(page) })
      const { body } = await repository.call({ method: 'GET', url: `${pulls(repository)}?${query.toString()}` })
      const items = itemsOf(body)
      const own = items.find((item) => textOf(item, 'head', 'ref') === branch && textOf(item, 'base', 'ref') === base)
      if (own !== undefined) return textOf(own, 'html_url')
      // A host may return fewer than requested, so only an empty page is the end.
      if (items.length === 0) return undefined
    }
    return undefined
  },
  async create(repository, { branch, base, title, text }) {
    const answer = await repository.call({
      method: 'POST',
      url: pulls(repository),
      body: { head: branch, base, title, body: text },
      answers: [409],
    })
    return answer.status === 409 ? undefined : getPage(repository, answer, 'html_url')
  },
}

function pulls({ apiUrl, path }: HostRepository): string {
  return `${apiUrl}/repos/${path.split('/').map(encodeURIComponent).join('/')}/pulls`
}
