import type { ReceivedRequest, SentResponse } from '../../lib/platform/contract/operation.ts'
import type { OperationName, Operations } from '../../lib/platform/contract/operations/operations.ts'
import type { ArchiveDelivery } from './archives/archive-delivery.ts'
import type { Archives } from './archives/archives.ts'
import type { Broadcasts } from './broadcasts/broadcasts.ts'
import type { Calls } from './calls/calls.ts'
import type { Dtmf } from './calls/dtmf.ts'
import type { Composers } from './composers/composers.ts'
import type { Presence } from './participants/presence.ts'
import type { Accounts } from './projects/accounts.ts'
import type { Ids } from './state/ids.ts'
import type { AccountRecord, ArchiveRecord, ProjectRecord } from './state/records.ts'
import type { Store } from './state/store.ts'
import type { AllTransitions } from './state/transitions.ts'

/** How list and get show RTMP outputs: an object by their ids, or as some deployments do. */
export type RtmpForm = 'object' | 'array'

/** What handlers work on. */
export interface Platform {
  readonly store: Store
  readonly ids: Ids
  readonly now: () => number
  readonly transitions: AllTransitions
  readonly accounts: Accounts
  readonly attendance: Presence
  readonly recordings: Archives
  readonly deliveries: ArchiveDelivery
  readonly broadcasting: Broadcasts
  readonly calls: Calls
  readonly tones: Dtmf
  readonly composers: Composers
  /** Whether Insights tell of sessions and their quality. */
  readonly hasAdvancedInsights: boolean
  /** How lists and single answers show RTMP outputs. */
  readonly rtmpForm: RtmpForm
  /** Base of the URLs that answers carry. */
  readonly publicUrl: () => string
  /** A URL at which an archive's file can be fetched for a while. */
  readonly downloadUrl: (archive: ArchiveRecord) => string
}

/** What a handler knows of the call besides its validated request. */
export interface Call {
  readonly project: ProjectRecord
  /** The body as it was sent. */
  readonly submitted: unknown
}

/** As `Call`, for the operations that the account's credentials sign. */
export interface AccountCall {
  readonly account: AccountRecord
  readonly submitted: unknown
}

type CallOf<O> = O extends { credentials: 'account' } ? AccountCall : Call
type Handler<O> = (request: ReceivedRequest<O>, call: CallOf<O>) => SentResponse<O> | Promise<SentResponse<O>>

/** The handlers of the operations named, typed by the contract: one that is missing does not compile. */
export type Handlers<Name extends OperationName = OperationName> = { readonly [N in Name]: Handler<Operations[N]> }
