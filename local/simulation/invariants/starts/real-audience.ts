import { exceptionsIn } from '../../trace.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { presencesIn } from '../presences.ts'

/**
 * Checks that a show with scenes or dial-ins begins for a participant who publishes, and not for the streams that it brings
 * itself. The stream of a call whose answer was lost counts as one of a participant. So do that of another show, and one of a
 * corrupt answer.
 */
export const realAudience = ({
  shows,
  trace,
  publishers,
}: Pick<Evidence, 'shows' | 'trace' | 'publishers'>): string[] =>
  shows.flatMap((show) => {
    const { showId, state } = show
    const present = state?.timeline?.find(({ what }) => what === 'audience.present')?.at
    const sessionId = state?.sessionId
    const isCorrupt = exceptionsIn(trace).some(
      ({ line, at }) => CORRUPT_STREAMS.test(line) && at <= Date.parse(present ?? ''),
    )
    if (
      isCorrupt ||
      present === undefined ||
      sessionId === undefined ||
      !bringsStreams(show) ||
      mayHaveOthers(show, shows)
    )
      return []
    const isThere = presencesIn(trace, sessionId).some(
      ({ name, from }) => publishers.has(name) && from <= Date.parse(present),
    )
    return isThere
      ? []
      : [`the show ${showId.slice(0, 12)} had an audience at ${present}, and no participant had published`]
  })

const CORRUPT_STREAMS = /platform listStreams .*garbage/

/** Returns true for a show that orders scenes or dial-ins from its beginning. An added dial-in has its own order. */
const bringsStreams = ({ state }: ShowEvidence) =>
  (state?.scenes.length ?? 0) > 0 || (state?.dialIns ?? []).some(({ order }) => order === undefined)

/** Returns true for a show with a call that may be unknown, or a session that other shows use. */
const mayHaveOthers = ({ showId, state }: ShowEvidence, shows: Evidence['shows']) =>
  state?.dialIns.some(({ askedAt, streamId }) => askedAt !== undefined && streamId === undefined) ||
  shows.some((other) => other.showId !== showId && other.state?.sessionId === state?.sessionId)
