// Generated from lib/platform/contract by `npm run docs`: change it there.
import type { Request } from '../../contract/operation.ts'
import type { Operations } from '../../contract/operations/operations.ts'
import type { ItemOf } from '../answers.ts'
import type { PlatformCallOptions } from '../calls.ts'
import type {
  PlatformAuthError,
  PlatformNotFoundError,
  PlatformRequestError,
  PlatformUnavailableError,
} from '../errors.ts'

/** Iterators over the items of lists. */
export interface ListIterators {
  /**
   * Lists the streams of a session in order of publishing. Iterates over the items and requests pages as needed.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid session id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found, or without streams.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const ids: string[] = []
   * for await (const { id } of client.each.listStreams({ sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4' }))
   *   ids.push(id)
   * ```
   */
  listStreams(
    request: Request<Operations['listStreams']>,
    options?: PlatformCallOptions<Operations['listStreams']>,
  ): AsyncIterable<ItemOf<Operations['listStreams']>>

  /**
   * Lists archives, newest first, without deleted ones. Iterates over the items and requests pages as needed.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid offset or count.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const ids: string[] = []
   * for await (const { id } of client.each.listArchives({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   count: 50,
   * }))
   *   ids.push(id)
   * ```
   */
  listArchives(
    request?: Request<Operations['listArchives']>,
    options?: PlatformCallOptions<Operations['listArchives']>,
  ): AsyncIterable<ItemOf<Operations['listArchives']>>

  /**
   * Lists the broadcasts in progress, newest first. Iterates over the items and requests pages as needed.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid offset or count.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const ids: string[] = []
   * for await (const { id } of client.each.listBroadcasts({ sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4' }))
   *   ids.push(id)
   * ```
   */
  listBroadcasts(
    request?: Request<Operations['listBroadcasts']>,
    options?: PlatformCallOptions<Operations['listBroadcasts']>,
  ): AsyncIterable<ItemOf<Operations['listBroadcasts']>>

  /**
   * Lists composers, newest first. Iterates over the items and requests pages as needed.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid offset or count.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const ids: string[] = []
   * for await (const { id } of client.each.listComposers({ count: 50 }))
   *   ids.push(id)
   * ```
   */
  listComposers(
    request?: Request<Operations['listComposers']>,
    options?: PlatformCallOptions<Operations['listComposers']>,
  ): AsyncIterable<ItemOf<Operations['listComposers']>>

  /**
   * Lists all projects of the account, without pages. Iterates over the items and requests pages as needed.
   *
   * @throws 403 {@link PlatformAuthError}: Invalid account key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const ids: string[] = []
   * for await (const { id } of client.each.listProjects())
   *   ids.push(id)
   * ```
   */
  listProjects(
    request?: Request<Operations['listProjects']>,
    options?: PlatformCallOptions<Operations['listProjects']>,
  ): AsyncIterable<ItemOf<Operations['listProjects']>>
}
