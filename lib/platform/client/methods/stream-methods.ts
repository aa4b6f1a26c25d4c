// Generated from lib/platform/contract by `npm run docs`: change it there.
import type { Request } from '../../contract/operation.ts'
import type { Operations } from '../../contract/operations/operations.ts'
import type { Answer } from '../answers.ts'
import type { PlatformCallOptions } from '../calls.ts'
import type {
  PlatformAuthError,
  PlatformNotFoundError,
  PlatformRequestError,
  PlatformUnavailableError,
} from '../errors.ts'

/** Client methods of the platform’s stream operations. */
export interface StreamMethods {
  /**
   * Returns one stream of a session.
   *
   * `GET /v2/project/{apiKey}/session/{sessionId}/stream/{streamId}`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid session id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session or stream not found.
   * @throws 408 {@link PlatformRequestError}: Malformed stream id.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const stream = await client.getStream({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   streamId: '8b732909-0a06-46a2-8ea8-074e64d43422',
   * })
   * ```
   */
  getStream(
    request: Request<Operations['getStream']>,
    options?: PlatformCallOptions<Operations['getStream']>,
  ): Promise<Answer<Operations['getStream']>>

  /**
   * Lists the streams of a session in order of publishing.
   *
   * `GET /v2/project/{apiKey}/session/{sessionId}/stream`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid session id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found, or without streams.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const { count, items } = await client.listStreams({ sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4' })
   * ```
   */
  listStreams(
    request: Request<Operations['listStreams']>,
    options?: PlatformCallOptions<Operations['listStreams']>,
  ): Promise<Answer<Operations['listStreams']>>

  /**
   * Sets the layout classes of streams for all archives and broadcasts of the session.
   *
   * `PUT /v2/project/{apiKey}/session/{sessionId}/stream`, signed by the project.
   *
   * @param request
   * - `items`: at least 1 items
   * @throws 400 {@link PlatformRequestError}: Invalid session id, JSON or items, or a stream that the session does not have.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.setStreamLayoutClasses({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   items: [
   *     {
   *       id: '8b732909-0a06-46a2-8ea8-074e64d43422',
   *       layoutClassList: ['focus'],
   *     },
   *   ],
   * })
   * ```
   */
  setStreamLayoutClasses(
    request: Request<Operations['setStreamLayoutClasses']>,
    options?: PlatformCallOptions<Operations['setStreamLayoutClasses']>,
  ): Promise<undefined>

  /**
   * Mutes the audio of one stream.
   *
   * `POST /v2/project/{apiKey}/session/{sessionId}/stream/{streamId}/mute`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid session or stream id, or a body that is not valid JSON.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session or stream not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const project = await client.muteStream({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   streamId: '8b732909-0a06-46a2-8ea8-074e64d43422',
   * })
   * ```
   */
  muteStream(
    request: Request<Operations['muteStream']>,
    options?: PlatformCallOptions<Operations['muteStream']>,
  ): Promise<Answer<Operations['muteStream']>>

  /**
   * Mutes the audio of all current and future streams of a session, or stops muting future streams.
   *
   * `POST /v2/project/{apiKey}/session/{sessionId}/mute`, signed by the project.
   *
   * @param request
   * - `active`: true mutes all current and future streams; false stops muting future ones and unmutes none
   * - `excludedStreamIds`: Streams that are not muted; ignored if active is false
   * @throws 400 {@link PlatformRequestError}: Invalid session id, JSON or field.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const project = await client.muteSession({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   active: true,
   *   excludedStreamIds: ['8b732909-0a06-46a2-8ea8-074e64d43422'],
   * })
   * ```
   */
  muteSession(
    request: Request<Operations['muteSession']>,
    options?: PlatformCallOptions<Operations['muteSession']>,
  ): Promise<Answer<Operations['muteSession']>>
}
