// Generated from lib/platform/contract by `npm run docs`: change it there.
import type { Request } from '../../contract/operation.ts'
import type { Operations } from '../../contract/operations/operations.ts'
import type { PlatformCallOptions } from '../calls.ts'
import type {
  PlatformAuthError,
  PlatformNotFoundError,
  PlatformRequestError,
  PlatformUnavailableError,
} from '../errors.ts'

/** Client methods of the platform’s participant operations. */
export interface ParticipantMethods {
  /**
   * Sends a signal to every client of a session, with an empty from.
   *
   * `POST /v2/project/{apiKey}/session/{sessionId}/signal`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `type`: At most 128 bytes of UTF-8
   * - `data`: At most 8192 bytes of UTF-8
   * @throws 400 {@link PlatformRequestError}: Invalid session id, JSON, type or data.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found.
   * @throws 413 {@link PlatformRequestError}: The type is longer than 128 bytes, or the data than 8192.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.signalSession({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   type: 'chat',
   *   data: 'We start in a minute.',
   * })
   * ```
   */
  signalSession(
    request: Request<Operations['signalSession']>,
    options?: PlatformCallOptions<Operations['signalSession']>,
  ): Promise<undefined>

  /**
   * Sends a signal to one client of a session, with an empty from.
   *
   * `POST /v2/project/{apiKey}/session/{sessionId}/connection/{connectionId}/signal`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `type`: At most 128 bytes of UTF-8
   * - `data`: At most 8192 bytes of UTF-8
   * @throws 400 {@link PlatformRequestError}: Invalid session id, JSON, type or data.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session or connection not found.
   * @throws 413 {@link PlatformRequestError}: The type is longer than 128 bytes, or the data than 8192.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.signalConnection({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   type: 'chat',
   *   data: 'We start in a minute.',
   *   connectionId: '20ab1d8e-3d0b-4ba4-8c12-4a7e6b7a3c11',
   * })
   * ```
   */
  signalConnection(
    request: Request<Operations['signalConnection']>,
    options?: PlatformCallOptions<Operations['signalConnection']>,
  ): Promise<undefined>

  /**
   * Disconnects a client from its session.
   *
   * `DELETE /v2/project/{apiKey}/session/{sessionId}/connection/{connectionId}`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid session id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session or connection not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.forceDisconnect({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   connectionId: '20ab1d8e-3d0b-4ba4-8c12-4a7e6b7a3c11',
   * })
   * ```
   */
  forceDisconnect(
    request: Request<Operations['forceDisconnect']>,
    options?: PlatformCallOptions<Operations['forceDisconnect']>,
  ): Promise<undefined>
}
