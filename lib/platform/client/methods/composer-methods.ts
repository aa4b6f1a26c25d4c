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

/** Client methods of the platform’s composer operations. */
export interface ComposerMethods {
  /**
   * Renders a public web page and publishes it as a stream of a session.
   *
   * `POST /v2/project/{apiKey}/render`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `token`: Client token of a role that may publish
   * - `url`: Web page that the platform can reach; 15 to 2048 characters
   * - `maxDuration`: Seconds after which the composer stops; 60 to 36000; default 7200
   * - `resolution`: default "1280x720"
   * - `properties.name`: Name of the published stream; 1 to 200 characters
   * @throws 400 {@link PlatformRequestError}: Invalid JSON, or an invalid field, which the code names.
   * @throws 403 {@link PlatformAuthError}: Invalid API key or token, not authorized, or the role of the client token may not publish.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const composer = await client.startComposer({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   token: '<client token>',
   *   url: 'https://scenes.example.com/lower-third',
   *   maxDuration: 3600,
   *   resolution: '1280x720',
   *   properties: { name: 'Lower third' },
   * })
   * ```
   */
  startComposer(
    request: Request<Operations['startComposer']>,
    options?: PlatformCallOptions<Operations['startComposer']>,
  ): Promise<Answer<Operations['startComposer']>>

  /**
   * Returns one composer.
   *
   * `GET /v2/project/{apiKey}/render/{composerId}`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid composer id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Composer not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const composer = await client.getComposer({ composerId: '80abaf0d-25a3-4efc-968f-6268d620668d' })
   * ```
   */
  getComposer(
    request: Request<Operations['getComposer']>,
    options?: PlatformCallOptions<Operations['getComposer']>,
  ): Promise<Answer<Operations['getComposer']>>

  /**
   * Lists composers, newest first.
   *
   * `GET /v2/project/{apiKey}/render`, signed by the project.
   *
   * @param request
   * - `offset`: Index of the first item; 0 is the newest; at least 0; default 0
   * - `count`: Items per page; 1 to 1000; default 50
   * @throws 400 {@link PlatformRequestError}: Invalid offset or count.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const { count, items } = await client.listComposers({ count: 50 })
   * ```
   */
  listComposers(
    request?: Request<Operations['listComposers']>,
    options?: PlatformCallOptions<Operations['listComposers']>,
  ): Promise<Answer<Operations['listComposers']>>

  /**
   * Stops a composer and unpublishes its stream.
   *
   * `DELETE /v2/project/{apiKey}/render/{composerId}`, signed by the project.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid composer id.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Composer not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.stopComposer({ composerId: '80abaf0d-25a3-4efc-968f-6268d620668d' })
   * ```
   */
  stopComposer(
    request: Request<Operations['stopComposer']>,
    options?: PlatformCallOptions<Operations['stopComposer']>,
  ): Promise<undefined>
}
