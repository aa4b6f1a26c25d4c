import type { Services } from '../services.ts'
import { markersOf } from '../show/document/cue.ts'
import type { Marker } from '../tasks/arrival.ts'
import type { Origin } from './origin.ts'

/**
 * Returns the markers of an archive in order of time, planned and requested, also those before its start and after its end: a
 * part of a recording begins within the chapter of an earlier marker. The time that an archive was paused is not taken off.
 */
export async function markersIn(
  { archive, request, show: part }: Origin,
  { records }: Pick<Services, 'records'>,
): Promise<Marker[]> {
  const { liveAt, markers: requested = [] } = (archive && part && (await records.readState(part.showId))) ?? {}
  if (!archive || !part || liveAt === undefined) return []
  const began = (archive.createdAt - Date.parse(liveAt)) / 1000
  const planned = request ? markersOf(request.show, part.name) : []
  return [
    ...planned.map(({ at, title }) => ({ at: at - began, title })),
    ...requested.map(({ at, title }) => ({ at: (Date.parse(at) - archive.createdAt) / 1000, title })),
  ].sort((one, other) => one.at - other.at)
}
