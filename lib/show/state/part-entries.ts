import { archiveStatuses } from '../../platform/contract/archives.ts'
import { broadcastStatuses } from '../../platform/contract/broadcasts.ts'
import { joinedId } from '../document/fields/names.ts'
import type { ShowState } from './state.ts'

/** Returns whether a show records or broadcasts, by the last observed statuses. */
export const runsAnything = ({ recordings, broadcasts }: Pick<ShowState, 'recordings' | 'broadcasts'>): boolean =>
  recordings.some(mayRecord) || broadcasts.some(mayBeLive)

/** An archive or broadcast, or the last observed status of a part. */
type Seen = { readonly status?: string | undefined; readonly reason?: unknown }
export const isRecording = ({ status }: Seen): boolean => status === 'started' || status === 'paused'
export const isLive = ({ status }: Seen): boolean => status === 'started' || status === 'live'

const isUnlisted = (listed: readonly string[], { status, reason }: Seen): boolean =>
  status !== undefined && !listed.includes(status) && !reason

/** Returns true also for a status that the contract does not list: a needless stop is harmless, a missing one is not. */
export const mayRecord = (seen: Seen): boolean => isRecording(seen) || isUnlisted(archiveStatuses, seen)
export const mayBeLive = (seen: Seen): boolean => isLive(seen) || isUnlisted(broadcastStatuses, seen)

/** Returns the ids under which recordings are published: of their archives, and of what several parts are joined to. */
export function publishedIdsOf({ recordings }: Pick<ShowState, 'recordings'>): string[] {
  const several = new Set(recordings.filter(({ part }) => part > 1).map(({ name }) => name))
  return recordings.flatMap(({ name, part, archiveId }) => {
    if (archiveId === undefined) return []
    return part === 1 && several.has(name) ? [archiveId, joinedId(archiveId)] : [archiveId]
  })
}

/** Returns the list with a part in place of its earlier entry, or after the last part before it. */
export function withPart<Entry extends { readonly name: string; readonly part: number }>(
  entries: readonly Entry[],
  entry: Entry,
): Entry[] {
  const isIt = ({ name, part }: Entry) => name === entry.name && part === entry.part
  if (entries.some(isIt)) return entries.map((one) => (isIt(one) ? entry : one))
  const before = entries.findLastIndex(({ name, part }) => name === entry.name && part < entry.part)
  return entries.toSpliced(before < 0 ? entries.length : before + 1, 0, entry)
}
