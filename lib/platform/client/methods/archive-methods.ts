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

/** Client methods of the platform’s archive operations. */
export interface ArchiveMethods {
  /**
   * Starts an archive of a routed session that has a client connected.
   *
   * Limits:
   * - An archive stops after 14,400 seconds of recorded time; an automatic one continues in a new file.
   * - It also stops 3,600 seconds after the last client stopped publishing, and 60 seconds after the last client left.
   * - It draws at most 16 video streams and mixes at most 50 audio streams.
   *
   * `POST /v2/project/{apiKey}/archive`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `hasAudio`: default true
   * - `hasVideo`: default true
   * - `layout`: The arrangement of streams in a composed picture
   * - `layout.type`: The kind of arrangement; default "bestFit"
   * - `layout.stylesheet`: CSS that arranges the streams; only with type custom
   * - `layout.screenshareType`: The type while a screen is shared; only with type bestFit
   * - `multiArchiveTag`: Tag that distinguishes simultaneous archives of a session
   * - `name`: at most 255 characters
   * - `outputMode`: composed writes one file; individual writes one file per stream; default "composed"
   * - `streamMode`: auto includes all streams; manual those that changeArchiveStreams adds; default "auto"
   * @throws 400 {@link PlatformRequestError}: Invalid JSON or field, resolution with individual, or neither audio nor video.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found, or no clients connected.
   * @throws 409 {@link PlatformConflictError}: Session not routed, already recorded without a multiArchiveTag, or the tag is not unique.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const archive = await client.startArchive({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   name: 'program',
   *   multiArchiveTag: 'program',
   *   resolution: '1280x720',
   *   layout: { type: 'bestFit' },
   * })
   * ```
   */
  startArchive(
    request: Request<Operations['startArchive']>,
    options?: PlatformCallOptions<Operations['startArchive']>,
  ): Promise<Answer<Operations['startArchive']>>

  /**
   * Stops an archive. It does not affect automatic archives.
   *
   * `POST /v2/project/{apiKey}/archive/{archiveId}/stop`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Body that is not valid JSON. No body is needed.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Unknown or invalid archive id.
   * @throws 409 {@link PlatformConflictError}: The archive is not being recorded.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const archive = await client.stopArchive({ archiveId: 'b40ef09b-3811-4726-b508-e41a0f96c68f' })
   * ```
   */
  stopArchive(
    request: Request<Operations['stopArchive']>,
    options?: PlatformCallOptions<Operations['stopArchive']>,
  ): Promise<Answer<Operations['stopArchive']>>

  /**
   * Lists archives, newest first, without deleted ones.
   *
   * `GET /v2/project/{apiKey}/archive`, signed by the project.
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
   * const { count, items } = await client.listArchives({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   count: 50,
   * })
   * ```
   */
  listArchives(
    request?: Request<Operations['listArchives']>,
    options?: PlatformCallOptions<Operations['listArchives']>,
  ): Promise<Answer<Operations['listArchives']>>

  /**
   * Returns one archive, also a deleted one. An unknown id is answered 400.
   *
   * Limits:
   * - The url of an available archive is valid for 600 seconds.
   * - The platform keeps a file that was not uploaded for 259,200 seconds.
   *
   * `GET /v2/project/{apiKey}/archive/{archiveId}`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Unknown or invalid archive id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const archive = await client.getArchive({ archiveId: 'b40ef09b-3811-4726-b508-e41a0f96c68f' })
   * ```
   */
  getArchive(
    request: Request<Operations['getArchive']>,
    options?: PlatformCallOptions<Operations['getArchive']>,
  ): Promise<Answer<Operations['getArchive']>>

  /**
   * Deletes an available or uploaded archive, and its file if the platform stores it.
   *
   * `DELETE /v2/project/{apiKey}/archive/{archiveId}`, signed by the project.
   *
   * @throws 403 {@link PlatformNotFoundError}: No such archive, which the client confirms with getArchive.
   * @throws 403 {@link PlatformAuthError}: Invalid API key or token, or no such archive.
   * @throws 409 {@link PlatformConflictError}: The archive is neither available, uploaded nor deleted.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.deleteArchive({ archiveId: 'b40ef09b-3811-4726-b508-e41a0f96c68f' })
   * ```
   */
  deleteArchive(
    request: Request<Operations['deleteArchive']>,
    options?: PlatformCallOptions<Operations['deleteArchive']>,
  ): Promise<undefined>

  /**
   * Changes the layout of a composed archive while it is recorded.
   *
   * `PUT /v2/project/{apiKey}/archive/{archiveId}/layout`, signed by the project.
   *
   * @param request
   * - `type`: The kind of arrangement
   * - `stylesheet`: CSS that arranges the streams; only with type custom
   * - `screenshareType`: The type while a screen is shared; only with type bestFit
   * @throws 400 {@link PlatformRequestError}: Invalid archive id, JSON or layout, or the archive is not composed.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Archive not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.setArchiveLayout({
   *   archiveId: 'b40ef09b-3811-4726-b508-e41a0f96c68f',
   *   type: 'bestFit',
   *   screenshareType: 'pip',
   * })
   * ```
   */
  setArchiveLayout(
    request: Request<Operations['setArchiveLayout']>,
    options?: PlatformCallOptions<Operations['setArchiveLayout']>,
  ): Promise<undefined>

  /**
   * Adds a stream to an archive of stream mode manual, changes which of its tracks are recorded, or removes it.
   *
   * `PATCH /v2/project/{apiKey}/archive/{archiveId}/streams`, signed by the project.
   *
   * @param request
   * - `addStream`: Id of the stream to add or to change
   * - `hasAudio`: only with addStream; default true
   * - `hasVideo`: only with addStream; default true
   * - `removeStream`: Id of the stream to remove
   * @throws 400 {@link PlatformRequestError}: Invalid archive id or JSON, neither or both of addStream and removeStream, or neither audio nor video.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Archive or stream not found.
   * @throws 405 {@link PlatformRequestError}: The archive selects its streams automatically: its stream mode is auto.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.changeArchiveStreams({
   *   archiveId: 'b40ef09b-3811-4726-b508-e41a0f96c68f',
   *   addStream: '8b732909-0a06-46a2-8ea8-074e64d43422',
   *   hasAudio: true,
   *   hasVideo: false,
   * })
   * ```
   */
  changeArchiveStreams(
    request: Request<Operations['changeArchiveStreams']>,
    options?: PlatformCallOptions<Operations['changeArchiveStreams']>,
  ): Promise<undefined>
}
