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

/** Client methods of the platform’s call operations. */
export interface CallMethods {
  /**
   * Dials a SIP endpoint. Its connection joins the session before the call is answered.
   *
   * Limits:
   * - A call ends after 21,600 seconds, or after 300 seconds without media.
   *
   * `POST /v2/project/{apiKey}/dial`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `token`: Client token of the called participant; may carry connection data
   * - `sip.uri`: SIP URI; its transport is udp (the default), tcp or tls, which encrypts the signaling only
   * - `sip.from`: Caller as from@domain; a numeric from is displayed as the caller’s number
   * - `sip.headers`: Custom headers of the INVITE
   * - `sip.auth`: Credentials for digest authentication
   * - `sip.secure`: Encrypts the media; default false
   * - `sip.video`: Sends one picture composed of at most 9 streams; default false
   * - `sip.observeForceMute`: Lets the callee mute itself with *6 and hear that it is muted; default false
   * @throws 400 {@link PlatformRequestError}: Invalid session id, client token, SIP URI or from, or a custom header that does not begin with X-.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found.
   * @throws 409 {@link PlatformConflictError}: The session is not routed.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * const call = await client.dial({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   token: '<client token>',
   *   sip: {
   *     uri: 'sip:stage@sip.example.com;transport=tls',
   *     from: '15551234567@example.com',
   *     headers: { 'X-Show': 'keynote' },
   *     auth: { username: 'stage', password: '<password>' },
   *     secure: true,
   *   },
   * })
   * ```
   */
  dial(
    request: Request<Operations['dial']>,
    options?: PlatformCallOptions<Operations['dial']>,
  ): Promise<Answer<Operations['dial']>>

  /**
   * Plays DTMF tones to every client of a session. Clients without DTMF ignore them.
   *
   * `POST /v2/project/{apiKey}/session/{sessionId}/play-dtmf`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `digits`: 0-9, * and #; p waits 0.5 seconds
   * @throws 400 {@link PlatformRequestError}: Invalid session id, JSON or digits.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.playDtmfToSession({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   digits: '1713p*#',
   * })
   * ```
   */
  playDtmfToSession(
    request: Request<Operations['playDtmfToSession']>,
    options?: PlatformCallOptions<Operations['playDtmfToSession']>,
  ): Promise<undefined>

  /**
   * Plays DTMF tones to one client of a session, such as a SIP endpoint.
   *
   * `POST /v2/project/{apiKey}/session/{sessionId}/connection/{connectionId}/play-dtmf`, signed by the project. After a lost answer, it is repeated only with `adopt`.
   *
   * @param request
   * - `digits`: 0-9, * and #; p waits 0.5 seconds
   * @throws 400 {@link PlatformRequestError}: Invalid session id, JSON or digits.
   * @throws 403 {@link PlatformAuthError}: Invalid API key, invalid or expired token, or not authorized.
   * @throws 404 {@link PlatformNotFoundError}: Session or connection not found.
   * @throws 500 {@link PlatformUnavailableError}: The platform failed.
   * @example
   * ```ts
   * await client.playDtmfToConnection({
   *   sessionId: '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4',
   *   connectionId: 'e9f8c166-6c67-440d-994a-04fb6dfed007',
   *   digits: '1713p*#',
   * })
   * ```
   */
  playDtmfToConnection(
    request: Request<Operations['playDtmfToConnection']>,
    options?: PlatformCallOptions<Operations['playDtmfToConnection']>,
  ): Promise<undefined>
}
