/** What event apps import as `showrunner/events`. */
export {
  CallbackError,
  type CallbackProblem,
  KeysUnavailableError,
  type ReceivedCallback,
} from '../../platform/client/signed-bodies.ts'
export type { OwnerEvent, OwnerEventKind } from '../../workflow/owner-events.ts'
export {
  type ReceivedShowrunnerCallback,
  type ShowrunnerCallbackOptions,
  verifyShowrunnerCallback,
} from '../callback-verifier.ts'
