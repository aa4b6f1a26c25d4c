import type { Clock } from '../../../lib/clock.ts'
import type { RtmpStatus } from '../../../lib/platform/contract/broadcasts.ts'
import { isLegal, type Lifecycle, type StatusOf } from '../../../lib/platform/contract/lifecycles.ts'
import type { ArchiveRecord, BroadcastRecord, CallRecord, ComposerRecord, ProjectRecord } from './records.ts'
import type { Collection, Store } from './store.ts'

interface Stateful<Name extends Lifecycle> {
  readonly id: string
  readonly status: StatusOf<Name>
  readonly createdAt: number
  readonly updatedAt: number
}

/** The only way to change a status: what the contract's lifecycles do not list is thrown as a programming error. */
export interface Transitions<Name extends Lifecycle, R extends Stateful<Name>> {
  /** Adds a record in its first status, with `updatedAt` equal to its `createdAt`. */
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
  /** The outputs in a broadcast's record, each with a status of its own: its change is an update of the broadcast. */
  readonly rtmpOutputs: { move(broadcastId: string, outputId: string, to: RtmpStatus): void }
}

export function createTransitions(store: Store, clock: Clock): AllTransitions {
  const broadcasts = transitionsOf('broadcast', 'started', store.broadcasts, clock)
  return {
    archives: transitionsOf('archive', 'started', store.archives, clock),
    broadcasts,
    calls: transitionsOf('call', 'DIALING', store.calls, clock),
    composers: transitionsOf('composer', 'starting', store.composers, clock),
    projects: transitionsOf('project', 'ACTIVE', store.projects, clock),
    rtmpOutputs: rtmpTransitions(store, broadcasts),
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
  return {
    begin(fields) {
      check(name, fields.id, null, first)
      const record = { ...fields, status: first, updatedAt: fields.createdAt } as R
      records.insert(record)
      return tell(record)
    },
    move(id, to, changes = {}) {
      const record = records.get(id)
      if (!record) throw new Error(`There is no ${name} ${id}.`)
      check(name, id, record.status, to)
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

function rtmpTransitions(store: Store, broadcasts: AllTransitions['broadcasts']): AllTransitions['rtmpOutputs'] {
  return {
    move(broadcastId, outputId, to) {
      const outputs = store.broadcasts.get(broadcastId)?.rtmp ?? []
      const moved = outputs.find(({ id }) => id === outputId)
      if (!moved) throw new Error(`The broadcast ${broadcastId} has no RTMP output ${outputId}.`)
      check('rtmpOutput', outputId, moved.status, to)
      broadcasts.amend(broadcastId, {
        rtmp: outputs.map((output) => (output === moved ? { ...moved, status: to } : output)),
      })
    },
  }
}

function check<Name extends Lifecycle>(name: Name, id: string, from: StatusOf<Name> | null, to: StatusOf<Name>): void {
  if (!isLegal(name, from, to)) throw new Error(`The ${name} ${id} cannot go from ${from ?? 'nothing'} to ${to}.`)
}
