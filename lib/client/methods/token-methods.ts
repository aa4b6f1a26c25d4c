// Generated from lib/api by `npm run docs`: change it there.
import type { ClientToken, TokenOrder } from '../documents.ts'
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
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @example
   * ```ts
   * const answer = await showrunner.tokens.create(showId, { role: 'publisher', data: 'Ada' })
   * ```
   */
  create(showId: string, participant: TokenOrder, options?: CallOptions): Promise<ClientToken>
}
