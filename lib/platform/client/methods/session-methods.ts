// Generated from lib/platform/contract by `npm run docs`: change it there.
import type { Request } from '../../contract/operation.ts'
import type { Operations } from '../../contract/operations/operations.ts'
import type { Answer } from '../answers.ts'
import type { PlatformCallOptions } from '../calls.ts'
import type { PlatformAuthError, PlatformRequestError, PlatformUnavailableError } from '../errors.ts'

/** Client methods of the platform’s session operations. */
export interface SessionMethods {
  /**
   * Creates a session. A routed one, which is the default, can be recorded and broadcast.
   *
   * `POST /session/create`, signed by the project.
   *
   * @param request
   * - `archiveMode`: always records the session automatically; default "manual"
   * - `location`: IP address as a hint to the location
   * - `p2p.preference`: disabled creates a routed session, enabled a relayed one; default "disabled"
   * @throws 400 {@link PlatformRequestError}: Invalid field, or archiveMode always with a relayed session.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const [createdSession] = await client.createSession({ archiveMode: 'manual', 'p2p.preference': 'disabled' })
   * ```
   */
  createSession(
    request?: Request<Operations['createSession']>,
    options?: PlatformCallOptions<Operations['createSession']>,
  ): Promise<Answer<Operations['createSession']>>
}
