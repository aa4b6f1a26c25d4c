import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { TracedCall } from '../../trace.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'

/** Functions that start scenes and dial-ins, by the event of their failure. */
const STARTING: Readonly<Record<string, RegExp>> = {
  'scene.failed': /StartScene/,
  'dialIn.failed': /StartDialIn/,
}
/** Milliseconds before a stop in which an attempt may have begun that fails after it. */
const ATTEMPT = 120_000

type Seen = Pick<Evidence, 'shows' | 'failedCalls' | 'trace'>

/**
 * Checks that scenes and dial-ins which were not started because their show was stopped are not reported as failed. One that failed after the
 * stop needs a call that failed.
 */
export const calledOffStarts = (evidence: Seen): string[] =>
  evidence.shows.flatMap((show) => {
    const { timeline = [], stopAskedAt, endedAt } = show.state ?? {}
    const stop = Date.parse(stopAskedAt ?? endedAt ?? '')
    const hasRun = (of: string, name: string | undefined) =>
      timeline.some((one) => one.what === of && one.name === name && Date.parse(one.at) < stop)
    return timeline
      .filter(({ what, at }) => what in STARTING && Date.parse(at) >= stop)
      .filter(({ what, name }) => !hasRun(what.replace('failed', 'started'), name))
      .filter((failure) => !hasFailedCall(failure, { show, stop }, evidence))
      .map(({ what, name }) => `the show ${show.showId.slice(0, 12)} was stopped, and reports ${what} of ${name}`)
  })

function hasFailedCall(
  { what }: ShowState['timeline'][number],
  { show: { showId }, stop }: { readonly show: ShowEvidence; readonly stop: number },
  { failedCalls, trace }: Seen,
): boolean {
  const starting = STARTING[what] ?? /^$/
  const isOfAttempt = (one: { readonly at: number; readonly show?: string | undefined }) =>
    one.show === showId && one.at >= stop - ATTEMPT
  return (
    failedCalls.some(
      (one) => isOfAttempt(one) && one.kind !== 'slow' && starting.test(`${one.caller} ${one.operation}`),
    ) || trace.some((one) => isOfAttempt(one) && one.call && isRefusal(one.call) && starting.test(one.call.caller))
  )
}

const isRefusal = ({ name, status }: TracedCall) => name.startsWith('platform ') && status >= 400
