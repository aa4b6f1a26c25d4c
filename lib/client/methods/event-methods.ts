// Generated from lib/api by `npm run docs`: change it there.
import type { EventKeys } from '../documents.ts'
import type { CallOptions } from '../options.ts'

/** Client methods of events. */
export interface EventMethods {
  /**
   * Reads the public keys that verify callbacks to event apps.
   *
   * It needs no token. The answer is a JSON Web Key Set (RFC 7517), in which a callback names its key by `kid`.
   *
   * `GET /.well-known/jwks.json`, without a token.
   *
   * @example
   * ```ts
   * const answer = await showrunner.events.getKeys()
   * ```
   */
  getKeys(options?: CallOptions): Promise<EventKeys>
}
