import type { Services } from '../../../lib/services.ts'
import { type ApiEvent, noShow, ok, showIdOf } from '../../http/request.ts'

/** `GET /shows/{id}`: answers the state of a show, its start while it is scheduled, and its result once it has ended. */
export async function getShow(event: ApiEvent, { records, shows, usageRecords }: Services) {
  const showId = showIdOf(event)
  const state = await records.readState(showId)
  if (!state) throw noShow(showId)
  // The other fields are for the machine.
  const { version: _version, controls: _controls, closings: _closings, broadcasts, dialIns, ...shown } = state
  const start = state.status === 'scheduled' ? (await shows.request(showId)).show.start : undefined
  const [result, usage] = await Promise.all([records.readResult(showId), usageRecords.readShow(showId)])
  return ok({
    ...shown,
    broadcasts: broadcasts.map(withoutOrder),
    dialIns: dialIns.map(withoutOrder).map(({ askedBy: _, tonesAskedBy: __, ...dialIn }) => dialIn),
    ...(start && { start }),
    ...(result && { status: result.status, result }),
    ...(usage && { usage }),
  })
}

function withoutOrder<Entry extends { order?: unknown }>({ order: _, ...entry }: Entry) {
  return entry
}
