/** What comes of a sign-in with OpenID Connect that fails, apart from the client, which is loaded only where it is used. */

/** The provider does not answer, or not as OpenID Connect asks. The text is for the log. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** The provider or a check refused. The text is for the log. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}
