// Generated from lib/api by `npm run docs`: change it there.
import type { Admission, ClientToken, JoinOrder, TokenOrder } from '../documents.ts'
import type { CallOptions } from '../options.ts'
import type { ShowrunnerError } from '../showrunner-error.ts'

/** Client methods of tokens. */
export interface TokenMethods {
  /**
   * Creates a client token for one participant of a show.
   *
   * A client of the video platform connects with the answer. The token can be used several times until it expires, after an hour by default.
   *
   * `POST /shows/{id}/tokens`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `show-not-open` (409) {@link ShowrunnerError}: The show has no session yet. `startsAt` is its planned start, if that is known.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @example
   * ```ts
   * const answer = await showrunner.tokens.create(showId, { role: 'publisher', data: 'Ada' })
   * ```
   */
  create(showId: string, participant: TokenOrder, options?: CallOptions): Promise<ClientToken>

  /**
   * Exchanges an invitation for a client token, while the show has a session.
   *
   * Before the show has a session the answer is 409 with Retry-After, and after its end 410. An invitation can be exchanged several times.
   *
   * `POST /public/join`, without a token.
   *
   * @throws `invalid-invitation` (403) {@link ShowrunnerError}: The invitation is incomplete, was changed, or is of another deployment.
   * @throws `invitation-expired` (403) {@link ShowrunnerError}: The invitation has expired.
   * @throws `invitation-revoked` (403) {@link ShowrunnerError}: The invitations to the show were revoked.
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `show-not-open` (409) {@link ShowrunnerError}: The show has no session yet. `startsAt` is its planned start, if that is known.
   * @throws `show-over` (410) {@link ShowrunnerError}: The show is over, so it admits no participants.
   * @example
   * ```ts
   * const answer = await showrunner.tokens.exchange({
   *   invitation: 'eyJ2ZXJzaW9uIjoxLCJzaG93SWQiOiIzYjlj.PgHm2yu7Y6MnNdYo',
   * })
   * ```
   */
  exchange(invitation: JoinOrder, options?: CallOptions): Promise<Admission>
}
