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

/** The only way to change a status. A change that the contract's lifecycles do not list throws, as a programming error. */
export interface Transitions<Name extends Lifecycle, R extends Stateful<Name>> {
  /** Adds a record in its first status, with `updatedAt` equal to its `createdAt`. */
  begin(record: Omit<R, 'status' | 'updatedAt'>): R
  /** Moves a record to a status, together with other fields that change with it. */
  move(id: string, to: StatusOf<Name>, changes?: Partial<Omit<R, 'id' | 'status' | 'updatedAt'>>): R
  /** Changes other fields of a record, and notifies the listeners of amendments. */
  amend(id: string, changes: Partial<Omit<R, 'id' | 'status' | 'updatedAt'>>): R
  /** Adds a listener for every status, including the first, as soon as it is recorded. */
  listen(listener: (record: R) => void): void
  onAmended(listener: (record: R) => void): void
}

export interface AllTransitions {
  readonly archives: Transitions<'archive', ArchiveRecord>
  readonly broadcasts: Transitions<'broadcast', BroadcastRecord>
  readonly calls: Transitions<'call', CallRecord>
  readonly composers: Transitions<'composer', ComposerRecord>
  readonly projects: Transitions<'project', ProjectRecord>
  /** RTMP outputs within a broadcast's record; a change of one is an amendment of the broadcast. */
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
  const notify = (record: R, receivers = listeners) => {
    for (const listener of receivers) listener(record)
    return record
  }
  return {
    begin(fields) {
      check(name, fields.id, null, first)
      const record = { ...fields, status: first, updatedAt: fields.createdAt } as R
      records.insert(record)
      return notify(record)
    },
    move(id, to, changes = {}) {
      const record = records.get(id)
      if (!record) throw new Error(`There is no ${name} ${id}.`)
      check(name, id, record.status, to)
      const moved = { ...record, ...changes, status: to, updatedAt: clock.now() }
      records.replace(moved)
      return notify(moved)
    },
    amend(id, changes) {
      const amended = { ...changes, updatedAt: clock.now() } as Partial<Omit<R, 'id' | 'status'>>
      return notify(records.update(id, amended), amendmentListeners)
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
  if (!isLegal(name, from, to)) throw new Error(`The ${name} ${id} cannot change from ${from ?? 'nothing'} to ${to}.`)
}
