import type { Clock } from '../../lib/clock.ts'
import { isLegal, type Lifecycle, type StatusOf } from '../../lib/platform/contract/lifecycles.ts'
import type { ArchiveRecord, BroadcastRecord, CallRecord, ComposerRecord, ProjectRecord } from './records.ts'
import type { Collection, Store } from './store.ts'

interface Stateful<Name extends Lifecycle> {
  readonly id: string
  readonly status: StatusOf<Name>
  readonly updatedAt: number
}

/** The only way to change a status: what the contract's lifecycles do not list is thrown as a programming error. */
export interface Transitions<Name extends Lifecycle, R extends Stateful<Name>> {
  /** Adds a record in its first status. */
  begin(record: Omit<R, 'status' | 'updatedAt'>): R
  /** Moves a record on, with the other fields that change along with its status. */
  move(id: string, to: StatusOf<Name>, changes?: Partial<Omit<R, 'id' | 'status' | 'updatedAt'>>): R
  /** Changes other fields of a record in a way that whoever shows it should hear of. */
  amend(id: string, changes: Partial<Omit<R, 'id' | 'status' | 'updatedAt'>>): R
  /** Hears of every change of a status, the first one included, as soon as it is recorded. */
  listen(listener: (record: R) => void): void
  onAmended(listener: (record: R) => void): void
}

export interface AllTransitions {
  readonly archives: Transitions<'archive', ArchiveRecord>
  readonly broadcasts: Transitions<'broadcast', BroadcastRecord>
  readonly calls: Transitions<'call', CallRecord>
  readonly composers: Transitions<'composer', ComposerRecord>
  readonly projects: Transitions<'project', ProjectRecord>
}

export function createTransitions(store: Store, clock: Clock): AllTransitions {
  return {
    archives: transitionsOf('archive', 'started', store.archives, clock),
    broadcasts: transitionsOf('broadcast', 'started', store.broadcasts, clock),
    calls: transitionsOf('call', 'DIALING', store.calls, clock),
    composers: transitionsOf('composer', 'starting', store.composers, clock),
    projects: transitionsOf('project', 'ACTIVE', store.projects, clock),
  }
}

function transitionsOf<Name extends Lifecycle, R extends Stateful<Name>>(
  name: Name,
  first: StatusOf<Name>,
  records: Collection<R>,
  clock: Clock,
): Transitions<Name, R> {
  const listeners: ((record: R) => void)[] = []
  const amendmentListeners: ((record: R) => void)[] = []
  const tell = (record: R, whom = listeners) => {
    for (const listener of whom) listener(record)
    return record
  }
  const check = (id: string, from: StatusOf<Name> | null, to: StatusOf<Name>) => {
    if (!isLegal(name, from, to)) throw new Error(`The ${name} ${id} cannot go from ${from ?? 'nothing'} to ${to}.`)
  }
  return {
    begin(fields) {
      check(fields.id, null, first)
      const record = { ...fields, status: first, updatedAt: clock.now() } as R
      records.insert(record)
      return tell(record)
    },
    move(id, to, changes = {}) {
      const record = records.get(id)
      if (!record) throw new Error(`There is no ${name} ${id}.`)
      check(id, record.status, to)
      const moved = { ...record, ...changes, status: to, updatedAt: clock.now() }
      records.replace(moved)
      return tell(moved)
    },
    amend(id, changes) {
      const amended = { ...changes, updatedAt: clock.now() } as Partial<Omit<R, 'id' | 'status'>>
      return tell(records.update(id, amended), amendmentListeners)
    },
    listen: (listener) => listeners.push(listener),
    onAmended: (listener) => amendmentListeners.push(listener),
  }
}
