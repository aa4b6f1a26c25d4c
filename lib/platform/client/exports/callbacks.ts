/** The entry point `showrunner/callbacks` of the package. */
export type { CallbackBody, CallbackKind } from '../../contract/callbacks.ts'
export {
  type CallbackEvent,
  type CallbackVerifierOptions,
  createCallbackVerifier,
  type UnknownCallbackEvent,
  type VerifyCallback,
} from '../callbacks/callbacks.ts'
export { CallbackError, type CallbackProblem, type ReceivedCallback } from '../callbacks/signed-bodies.ts'
