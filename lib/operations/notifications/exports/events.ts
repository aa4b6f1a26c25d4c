/** The entry point `showrunner/events` of the package. */

export type { OwnerEvent, OwnerEventKind } from '../../../events/owner-events.ts'
export {
  CallbackError,
  type CallbackProblem,
  KeysUnavailableError,
  type ReceivedCallback,
} from '../../../platform/client/callbacks/signed-bodies.ts'
export {
  type ReceivedShowrunnerCallback,
  type ShowrunnerCallbackOptions,
  verifyShowrunnerCallback,
} from '../callback-verifier.ts'
