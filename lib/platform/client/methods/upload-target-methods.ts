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

/** Client methods of the platform’s upload target operations. */
export interface UploadTargetMethods {
  /**
   * Sets the upload target of the project’s finished archives and replaces the previous one.
   *
   * `PUT /v2/project/{apiKey}/archive/storage`, signed by the project.
   *
   * @param request
   * - `config.accessKey`: only with type s3
   * - `config.secretKey`: only with type s3
   * - `config.bucket`: only with type s3
   * - `config.endpoint`: Base URL of an S3-compatible provider; without it, AWS; only with type s3
   * - `config.sse`: only with type s3
   * - `fallback`: opentok keeps a file in the platform’s own cloud if its upload fails; none loses it; default "none"
   * - `config.accountName`: only with type azure
   * - `config.accountKey`: only with type azure
   * - `config.container`: only with type azure
   * - `config.domain`: only with type azure
   * @throws 400 {@link PlatformRequestError}: Invalid JSON, type missing or neither s3 nor azure, or config missing or incomplete.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const answer = await client.setUploadTarget({
   *   type: 's3',
   *   config: {
   *     accessKey: 'AKIAEXAMPLE',
   *     secretKey: '<secret>',
   *     bucket: 'recordings',
   *   },
   *   fallback: 'opentok',
   * })
   * ```
   */
  setUploadTarget(
    request: Request<Operations['setUploadTarget']>,
    options?: PlatformCallOptions<Operations['setUploadTarget']>,
  ): Promise<Answer<Operations['setUploadTarget']>>

  /**
   * Deletes the upload target. Later files stay in the platform’s own cloud.
   *
   * `DELETE /v2/project/{apiKey}/archive/storage`, signed by the project.
   *
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: No upload target is set.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.deleteUploadTarget()
   * ```
   */
  deleteUploadTarget(
    request?: Request<Operations['deleteUploadTarget']>,
    options?: PlatformCallOptions<Operations['deleteUploadTarget']>,
  ): Promise<undefined>
}
