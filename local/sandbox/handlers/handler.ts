import type { ReceivedRequest, Response } from '../../../lib/platform/contract/operation.ts'
import type { OperationName, Operations } from '../../../lib/platform/contract/operations.ts'
import type { Attendance } from '../attendance.ts'
import type { Broadcasting } from '../broadcasting.ts'
import type { Ids } from '../ids.ts'
import type { Recordings } from '../recordings.ts'
import type { ProjectRecord } from '../records.ts'
import type { Store } from '../store.ts'

/** What handlers work on. */
export interface Platform {
  readonly store: Store
  readonly ids: Ids
  readonly now: () => number
  readonly attendance: Attendance
  readonly recordings: Recordings
  readonly broadcasting: Broadcasting
  /** Base of the URLs that answers carry. */
  readonly publicUrl: () => string
  /** A URL at which an archive's file can be fetched for a while. */
  readonly downloadUrl: (archiveId: string) => string
}

/** What a handler knows of the call besides its validated request. */
export interface Call {
  readonly project: ProjectRecord
  /** The body as it was sent. */
  readonly submitted: unknown
}

type Handler<O> = (request: ReceivedRequest<O>, call: Call) => Response<O> | Promise<Response<O>>

/** The handlers of the operations named, typed by the contract: one that is missing does not compile. */
export type Handlers<Name extends OperationName = OperationName> = { readonly [N in Name]: Handler<Operations[N]> }
