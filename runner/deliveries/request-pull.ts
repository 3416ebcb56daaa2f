import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { parseUrl } from '../../lib/url.ts'
import { StepFailed } from '../failure.ts'
import { makeCall, refused } from '../hosts/call.ts'
import { findHost, getToken } from '../hosts/find-host.ts'
import type { HostAnswer } from '../../lib/host-api.ts'
import { makeRedactor } from '../redact.ts'
import { wayTo } from '../git/access.ts'
import { listRemoteBranches } from '../git/remote.ts'
import { type Delivered, type DeliveryJob, branchesOf, getBase } from './delivery.ts'
import { toMovedError } from './moved-branch.ts'

/**
 * Opens a pull request at the repository's host. If one is open for the same branch and base, that one is used.
 *
 * The branch must be at the reviewed commit at this time; later pushes are visible in the pull request.
 *
 * @throws Moved; StepFailed, of category credentials without a usable token
 */
export async function requestPull(job: DeliveryJob): Promise<Delivered> {
  const { access, context, spec, signal } = job
  const { adapter, apiUrl, path } = findHost(context.run.repositoryUrl, spec.host)
  const token = await getToken(context.run, apiUrl)
  const remote = await listRemoteBranches(access, branchesOf(spec), signal)
  const base = getBase(job, remote)
  const commit = remote.commits.get(spec.branch)
  if (commit === undefined) {
    throw new StepFailed('git', `branch ${spec.branch} is not on ${access.url} any more: there is nothing to deliver`)
  }
  if (commit !== spec.commit) throw await toMovedError(job, base)
  // Without a new commit hosts refuse the request, and nobody needs one.
  if (commit === base.commit) return { commit }
  const redact = makeRedactor([token])
  const call = makeCall(redact, { token, signal, way: await wayTo(new URL(apiUrl), context) })
  const repository = { apiUrl, path, call, refuse: (answer: HostAnswer) => refused(apiUrl, answer, redact) }
  const { title = spec.branch, text = '' } = spec
  const request = { branch: spec.branch, base: base.branch, title, text }
  const url =
    (await adapter.find(repository, request)) ??
    (await adapter.create(repository, request)) ??
    (await adapter.find(repository, request))
  return { commit, ...(url !== undefined && isPage(url) ? { url } : {}) }
}

/** The answer of a host becomes a link in the browser, so it must be an http or https URL. */
function isPage(url: string): boolean {
  return url.length <= RESULT_LIMITS.urlLength && /^https?:\/\//.test(url) && parseUrl(url) !== undefined
}
