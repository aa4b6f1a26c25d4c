import type { Evidence } from '../evidence.ts'
import { invocationsIn } from '../model/invocations.ts'
import { NOTIFYING } from './notifying.ts'

/** The answer of an app that wants no more events of a show. */
const GONE = 410

const REPLAY = /^\/shows\/([^/]+)\/deliveries\/[^/]+\/replay$/

/**
 * Checks that an app which wants no more events of a show gets none, once a function has noted that, unless an operator replays
 * one.
 */
export function goneOwners({ trace, visits }: Pick<Evidence, 'trace' | 'visits'>): string[] {
  const replays = visits.flatMap(({ address, at, status }) => {
    const [, show] = REPLAY.exec(address) ?? []
    return show !== undefined && status === 202 ? [{ show, at }] : []
  })
  const invocations = invocationsIn(trace, (caller) => NOTIFYING.test(caller))
  const posts = invocations.flatMap(({ entries, begin, end, outcome, at }) =>
    entries.flatMap(({ call, show }) =>
      call?.name.startsWith('app POST ') && show !== undefined
        ? [{ show, begin, end, outcome, at, status: call.status }]
        : [],
    ),
  )
  return posts
    .filter((one) => !replays.some(({ show, at }) => show === one.show && at <= one.at))
    .filter((one) =>
      posts.some(
        ({ show, status, outcome, end }) =>
          show === one.show && status === GONE && outcome === 'done' && end < one.begin,
      ),
    )
    .map(
      ({ show, at }) =>
        `the app got an event of the show ${show.slice(0, 12)} at ${new Date(at).toISOString()}, and wanted no more`,
    )
}
