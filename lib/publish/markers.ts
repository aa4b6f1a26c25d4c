import type { Services } from '../services.ts'
import { markersOf } from '../show/document/cue.ts'
import type { Marker } from '../tasks/arrival.ts'
import type { Origin } from './origin.ts'

/**
 * Returns the markers of an archive in order of time, also those before its start and after its end: a part of a recording
 * begins within the chapter of an earlier marker. The time that an archive was paused is not taken off.
 */
export async function markersIn(
  { archive, request, show: part }: Origin,
  { records }: Pick<Services, 'records'>,
): Promise<Marker[]> {
  const markers = request && part ? markersOf(request.show, part.name) : []
  if (!archive || !part || markers.length === 0) return []
  const { liveAt } = (await records.readState(part.showId)) ?? {}
  if (liveAt === undefined) return []
  const began = (archive.createdAt - Date.parse(liveAt)) / 1000
  return markers.map(({ at, title }) => ({ at: at - began, title })).sort((one, other) => one.at - other.at)
}
