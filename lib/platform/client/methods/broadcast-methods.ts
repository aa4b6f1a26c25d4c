// Generated from lib/platform/contract by `npm run docs`: change it there.
import type { Request } from '../../contract/operation.ts'
import type { Operations } from '../../contract/operations/operations.ts'
import type { Answer } from '../answers.ts'
import type { PlatformCallOptions } from '../calls.ts'
import type {
  PlatformAuthError,
  PlatformConflictError,
  PlatformNotFoundError,
  PlatformRequestError,
  PlatformUnavailableError,
} from '../errors.ts'

/** Client methods of the platform’s broadcast operations. */
export interface BroadcastMethods {
  /**
   * Starts a broadcast of a routed session that has a client connected.
   *
   * Limits:
   * - A broadcast has at most one HLS output and 5 RTMP outputs.
   * - The HLS playlist may be requested 20 seconds after the start.
   * - A broadcast stops 60 seconds after the last client left.
   *
   * `POST /v2/project/{apiKey}/broadcast`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `layout`: The arrangement of streams in a composed picture
   * - `layout.type`: The kind of arrangement; default "bestFit"
   * - `layout.stylesheet`: CSS that arranges the streams; only with type custom
   * - `layout.screenshareType`: The type while a screen is shared; only with type bestFit
   * - `multiBroadcastTag`: Tag that distinguishes simultaneous broadcasts of a session
   * - `maxDuration`: Seconds after which the broadcast stops; 60 to 36000; default 14400
   * - `outputs.hls.dvr`: Keeps earlier segments in the playlist; default false
   * - `outputs.hls.lowLatency`: Reduces the latency; excludes dvr; default false
   * - `resolution`: default "640x480"
   * - `streamMode`: auto includes all streams; manual those that changeBroadcastStreams adds; default "auto"
   * @throws 400 {@link PlatformRequestError}: Invalid JSON or field, custom layout without stylesheet, dvr with lowLatency, or more than five RTMP targets.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found, or no clients connected.
   * @throws 409 {@link PlatformConflictError}: Session not routed, already broadcast without a multiBroadcastTag, or the tag is not unique.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const broadcast = await client.startBroadcast({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   multiBroadcastTag: 'live',
   *   outputs: { hls: {} },
   * })
   * ```
   */
  startBroadcast(
    request: Request<Operations['startBroadcast']>,
    options?: PlatformCallOptions<Operations['startBroadcast']>,
  ): Promise<Answer<Operations['startBroadcast']>>

  /**
   * Stops a broadcast. The platform answers its times in seconds, which the client converts to milliseconds.
   *
   * `POST /v2/project/{apiKey}/broadcast/{broadcastId}/stop`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid broadcast id, or a body that is not valid JSON.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Broadcast not found, or already stopped.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const broadcast = await client.stopBroadcast({ broadcastId: '1748b707-0a81-464c-9759-c46ad10d3734' })
   * ```
   */
  stopBroadcast(
    request: Request<Operations['stopBroadcast']>,
    options?: PlatformCallOptions<Operations['stopBroadcast']>,
  ): Promise<Answer<Operations['stopBroadcast']>>

  /**
   * Lists the broadcasts in progress, newest first.
   *
   * `GET /v2/project/{apiKey}/broadcast`, signed by the project.
   *
   * @param request
   * - `offset`: Index of the first item; 0 is the newest; at least 0; default 0
   * - `count`: Items per page; 1 to 1000; default 50
   * - `sessionId`: Selects one session
   * @throws 400 {@link PlatformRequestError}: Invalid offset or count.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const { count, items } = await client.listBroadcasts({ sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4' })
   * ```
   */
  listBroadcasts(
    request?: Request<Operations['listBroadcasts']>,
    options?: PlatformCallOptions<Operations['listBroadcasts']>,
  ): Promise<Answer<Operations['listBroadcasts']>>

  /**
   * Returns one broadcast.
   *
   * `GET /v2/project/{apiKey}/broadcast/{broadcastId}`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid broadcast id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Broadcast not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const broadcast = await client.getBroadcast({ broadcastId: '1748b707-0a81-464c-9759-c46ad10d3734' })
   * ```
   */
  getBroadcast(
    request: Request<Operations['getBroadcast']>,
    options?: PlatformCallOptions<Operations['getBroadcast']>,
  ): Promise<Answer<Operations['getBroadcast']>>

  /**
   * Changes the layout of a broadcast while it is live.
   *
   * `PUT /v2/project/{apiKey}/broadcast/{broadcastId}/layout`, signed by the project.
   *
   * @param request
   * - `type`: The kind of arrangement
   * - `stylesheet`: CSS that arranges the streams; only with type custom
   * - `screenshareType`: The type while a screen is shared; only with type bestFit
   * @throws 400 {@link PlatformRequestError}: Invalid broadcast id, JSON or layout.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Broadcast not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.setBroadcastLayout({
   *   broadcastId: '1748b707-0a81-464c-9759-c46ad10d3734',
   *   type: 'horizontalPresentation',
   * })
   * ```
   */
  setBroadcastLayout(
    request: Request<Operations['setBroadcastLayout']>,
    options?: PlatformCallOptions<Operations['setBroadcastLayout']>,
  ): Promise<undefined>

  /**
   * Adds a stream to a broadcast of stream mode manual, changes which of its tracks are broadcast, or removes it.
   *
   * `PATCH /v2/project/{apiKey}/broadcast/{broadcastId}/streams`, signed by the project.
   *
   * @param request
   * - `addStream`: Id of the stream to add or to change
   * - `hasAudio`: only with addStream; default true
   * - `hasVideo`: only with addStream; default true
   * - `removeStream`: Id of the stream to remove
   * @throws 400 {@link PlatformRequestError}: Invalid broadcast id or JSON, neither or both of addStream and removeStream, or neither audio nor video.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Broadcast or stream not found.
   * @throws 405 {@link PlatformRequestError}: The broadcast selects its streams automatically: its stream mode is auto.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.changeBroadcastStreams({
   *   broadcastId: '1748b707-0a81-464c-9759-c46ad10d3734',
   *   removeStream: '8b732909-0a06-46a2-8ea8-074e64d43422',
   * })
   * ```
   */
  changeBroadcastStreams(
    request: Request<Operations['changeBroadcastStreams']>,
    options?: PlatformCallOptions<Operations['changeBroadcastStreams']>,
  ): Promise<undefined>
}
