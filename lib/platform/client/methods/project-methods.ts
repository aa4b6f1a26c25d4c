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

/** Client methods of the platform’s project operations. */
export interface ProjectMethods {
  /**
   * Creates a project. Without a name, neither a body nor a content type is sent.
   *
   * Limits:
   * - A new project can be used within 60 seconds.
   *
   * `POST /v2/project`, signed by the account. After a lost answer, it is repeated only with `adopt`.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid JSON or name.
   * @throws 403 {@link PlatformAuthError}: Invalid account key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const project = await client.createProject({ name: 'Conference' })
   * ```
   */
  createProject(
    request?: Request<Operations['createProject']>,
    options?: PlatformCallOptions<Operations['createProject']>,
  ): Promise<Answer<Operations['createProject']>>

  /**
   * Suspends a project or reactivates it. A suspended project’s key and sessions cannot be used.
   *
   * `PUT /v2/project/{apiKey}`, signed by the account.
   *
   * @throws 400 {@link PlatformRequestError}: Invalid JSON, or no such status.
   * @throws 403 {@link PlatformAuthError}: Invalid account key or token, not authorized, or no such project.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const project = await client.setProjectStatus({ apiKey: '100001', status: 'SUSPENDED' })
   * ```
   */
  setProjectStatus(
    request: Request<Operations['setProjectStatus']>,
    options?: PlatformCallOptions<Operations['setProjectStatus']>,
  ): Promise<Answer<Operations['setProjectStatus']>>

  /**
   * Deletes a project.
   *
   * `DELETE /v2/project/{apiKey}`, signed by the account.
   *
   * @throws 403 {@link PlatformAuthError}: Invalid account key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Project not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.deleteProject({ apiKey: '100001' })
   * ```
   */
  deleteProject(
    request: Request<Operations['deleteProject']>,
    options?: PlatformCallOptions<Operations['deleteProject']>,
  ): Promise<undefined>

  /**
   * Returns one project with its secret.
   *
   * `GET /v2/project/{apiKey}`, signed by the account.
   *
   * @throws 403 {@link PlatformAuthError}: Invalid account key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Project not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const project = await client.getProject({ apiKey: '100001' })
   * ```
   */
  getProject(
    request: Request<Operations['getProject']>,
    options?: PlatformCallOptions<Operations['getProject']>,
  ): Promise<Answer<Operations['getProject']>>

  /**
   * Lists all projects of the account, without pages.
   *
   * `GET /v2/project`, signed by the account.
   *
   * @throws 403 {@link PlatformAuthError}: Invalid account key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const projects = await client.listProjects()
   * ```
   */
  listProjects(
    request?: Request<Operations['listProjects']>,
    options?: PlatformCallOptions<Operations['listProjects']>,
  ): Promise<Answer<Operations['listProjects']>>

  /**
   * Replaces a project’s secret. The old secret and all client tokens that it signed are invalid at once.
   *
   * `POST /v2/project/{apiKey}/refreshSecret`, signed by the account. After a lost answer, it is repeated only with `adopt`.
   *
   * @throws 403 {@link PlatformAuthError}: Invalid account key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Project not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const answer = await client.refreshSecret({ apiKey: '100001' })
   * ```
   */
  refreshSecret(
    request: Request<Operations['refreshSecret']>,
    options?: PlatformCallOptions<Operations['refreshSecret']>,
  ): Promise<Answer<Operations['refreshSecret']>>
}
