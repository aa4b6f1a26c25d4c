// Generated from lib/api by `npm run docs`: change it there.
import type { Control } from '../documents.ts'
import type { KeyedOptions } from '../options.ts'
import type { ShowrunnerError } from '../showrunner-error.ts'

/** Client methods of broadcasts. */
export interface BroadcastMethods {
  /**
   * Stops one broadcast of a live show.
   *
   * Its part is stopped at once, and no other part is started. The show continues. A stopped broadcast cannot be resumed: add another one. The show must be live.
   *
   * `POST /shows/{id}/broadcasts/{name}/stop`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @throws `change-refused` (409) {@link ShowrunnerError}: The show document or a limit of the platform does not allow the change.
   * @example
   * ```ts
   * const answer = await showrunner.broadcasts.stop(showId, 'program')
   * ```
   */
  stop(showId: string, name: string, options?: KeyedOptions): Promise<Control>
}
