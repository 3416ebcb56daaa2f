/**
 * Kubernetes tokens as a way to sign in: the cluster says whose a token is (TokenReview), if it was issued for us.
 *
 * The audience is what keeps tokens apart: one that a pod holds for the API server of the cluster, or for another
 * service, is not for us, and one that is sent to us is good for nothing else.
 */
import { createHash } from 'node:crypto'
import { apiError } from '../../core/errors.ts'
import { parseObject } from '../../core/json.ts'
import { TOKEN_REVIEWS } from '../../kube/resources.ts'
import type { KubeClient } from '../../kube/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Answer, createRemembered } from './remembered.ts'
import { type Subject, createSubject } from './subject.ts'

export interface TokenReviews {
  /**
   * Whose token that is; undefined: nobody's, or not for us.
   *
   * @throws ApiError `unavailable` when the control plane cannot be asked
   */
  review(token: string): Promise<Subject | undefined>
}

export interface TokenReviewOptions {
  readonly client: Pick<KubeClient, 'create'>
  readonly audience: string
  readonly clock: Clock
}

/** So long a token counts after its account was deleted. */
const KEPT_MS = 60_000
const MAX_KEPT = 1000
const MAX_ASKED = 32
/** Longer than any token that fits the header fields of a request. */
const MAX_TOKEN_LENGTH = 16_384

/** Nothing has been asked yet. */
export function createTokenReviews({ client, audience, clock }: TokenReviewOptions): TokenReviews {
  const remembered = createRemembered<Subject | undefined>({ clock, maxKept: MAX_KEPT, maxAsked: MAX_ASKED })

  const ask = async (token: string): Promise<Answer<Subject | undefined>> => {
    const object = { metadata: { name: '' }, spec: { token, audiences: [audience] } }
    const { status } = await client.create(TOKEN_REVIEWS, object).catch((error: unknown) => {
      throw apiError('unavailable', 'the control plane cannot be asked whose token that is', 1).causedBy(error)
    })
    // An authenticator that knows no audiences leaves them out, and its token is then the control plane's own.
    const isOurs = status?.authenticated === true && status.audiences?.includes(audience) === true
    const subject = isOurs ? createSubject(status.user) : undefined
    const keepMs = subject === undefined ? 0 : Math.min(KEPT_MS, msUntilEnd(token, clock.now()))
    return { value: subject, keepMs }
  }
  return {
    async review(token) {
      if (token === '' || token.length > MAX_TOKEN_LENGTH) return undefined
      // The hash, so that no token lies in memory for longer than its request.
      return remembered.get(createHash('sha256').update(token).digest('base64'), () => ask(token))
    },
  }
}

/** As long as a JWT says of itself, which the control plane has verified; another form says nothing. */
function msUntilEnd(token: string, now: Date): number {
  const [, payload = ''] = token.split('.')
  const { exp } = parseObject(Buffer.from(payload, 'base64url').toString())
  return typeof exp === 'number' ? exp * 1000 - now.getTime() : KEPT_MS
}
