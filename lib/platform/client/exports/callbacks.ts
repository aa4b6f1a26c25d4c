/** What event apps import as `showrunner/callbacks`. */
export type { CallbackBody, CallbackKind } from '../../contract/callbacks.ts'
export {
  CallbackError,
  type CallbackVerifierOptions,
  createCallbackVerifier,
  type ReceivedCallback,
  type VerifyCallback,
} from '../callbacks.ts'
