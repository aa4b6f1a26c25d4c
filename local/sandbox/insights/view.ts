import type { ProjectRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Spend } from './paging.ts'

/** What one query is answered from. */
export interface View {
  readonly store: Store
  readonly now: number
  /** Whoever asks. */
  readonly project: ProjectRecord
  /** Whether sessions and their quality may be asked about. */
  readonly hasAddOn: boolean
  readonly spend: Spend
}
