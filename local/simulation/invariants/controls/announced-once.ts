import type { TraceEntry } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'
import { invocationsIn } from '../model/invocations.ts'
import { partRunsOf } from '../parts/part-runs.ts'
import { interruptions } from '../parts/watch-faults.ts'

type Seen = Pick<Evidence, 'trace' | 'shows' | 'failedCalls' | 'statusChanges'>

/** Tasks that announce something to participants: each one thing. */
const ANNOUNCING = /^(GoLive|StopShow)(\/\d+)?$/

/**
 * Checks that an announcement is not sent again once its show has noted it. It may be repeated before. Each occasion of a show
 * that ran to its end is noted as announced, or as failed. The end of recordings is announced once none of them runs.
 */
export function announcedOnce(evidence: Seen): string[] {
  return [...announcedAgain(evidence), ...unannounced(evidence), ...announcedEarly(evidence)]
}

/** Finds occasions that were not announced. A show that is interrupted announces nothing. */
function unannounced({ trace, shows, failedCalls }: Seen): string[] {
  if (trace.some(({ fault = '' }) => interruptions.has(fault)) || faultsOf(failedCalls, ANNOUNCING_TASKS).length > 0)
    return []
  return shows.flatMap(({ showId, request, state, result }) => {
    const hasRecorded = state?.timeline.some(({ what }) => what === 'recording.started')
    if (!state?.liveAt || !hasRecorded || state.closings > 0 || !result) return []
    return Object.keys(request?.show.announcements ?? {})
      .filter((occasion) => !state.timeline.some(({ what, id }) => what.startsWith('announcement.') && id === occasion))
      .map((occasion) => `the show ${showId.slice(0, 12)} did not announce ${occasion}`)
  })
}

/** Matches the functions that announce something. */
const ANNOUNCING_TASKS = /^(GoLive|StopShow)$/

/** Milliseconds before a stop in which an archive may start that it cannot see. */
const UNSEEN = 30_000

function announcedEarly({ trace, statusChanges }: Pick<Evidence, 'trace' | 'statusChanges'>): string[] {
  return invocationsIn(trace, (caller) => STOPPING.test(caller)).flatMap(({ entries }) => {
    const { at, show } = entries.find(isSignal) ?? {}
    const [first] = entries
    if (at === undefined || show === undefined || first === undefined) return []
    return partRunsOf(show, 'archive', statusChanges)
      .filter(({ from, to }) => from < first.at - UNSEEN && to > at)
      .map(({ name, part }) => `the show ${show.slice(0, 12)} announced its end while ${name}/${part} was recorded`)
  })
}

const STOPPING = /^StopShow(\/\d+)?$/

const isSignal = ({ call }: TraceEntry) => call?.name === 'platform signalSession' && call.status < 300

function announcedAgain({ trace }: Pick<Evidence, 'trace'>): string[] {
  const noted = new Set<string>()
  return invocationsIn(trace, (caller) => ANNOUNCING.test(caller)).flatMap(({ caller, entries, at }) => {
    const sent = entries.findIndex(isSignal)
    const { show } = entries[sent] ?? {}
    if (show === undefined) return []
    const key = `${caller.replace(/\/\d+$/, '')} ${show}`
    const isRepeated = noted.has(key)
    if (entries.slice(sent).some(isNote)) noted.add(key)
    return isRepeated
      ? [`${caller} announced again what the show ${show.slice(0, 12)} had noted, at ${new Date(at).toISOString()}`]
      : []
  })
}

const isNote = ({ call }: TraceEntry) =>
  call !== undefined && /^s3 Put.*\/state\.json/.test(call.name) && call.status < 300
