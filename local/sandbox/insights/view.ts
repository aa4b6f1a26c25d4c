import type { ProjectRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Spend } from './paging.ts'

/** Data from which one query is answered. */
export interface View {
  readonly store: Store
  readonly now: number
  /** Project that sent the query. */
  readonly project: ProjectRecord
  /** True if the query may select sessions and their quality. */
  readonly hasAddOn: boolean
  readonly spend: Spend
}
