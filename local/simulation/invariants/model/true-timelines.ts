import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'

type Entry = ShowState['timeline'][number]
type Kind = 'archive' | 'broadcast'

/** Seconds by which the clock of the platform, which dates its changes, may be ahead. */
const SKEW = 6
/** The reason that the platform gives for an archive that has failed. */
const FAILURE = 'failure'

/** A status of the resource of a part that its entry needs, by its event, and by the reason that it states. */
const NEEDED: readonly { readonly what: string; readonly detail: RegExp; readonly status: string }[] = [
  { what: 'recording.started', detail: /^/, status: 'started' },
  { what: 'recording.resumed', detail: /^/, status: 'started' },
  { what: 'recording.paused', detail: /^/, status: 'stopped' },
  { what: 'recording.arrived', detail: /^/, status: 'uploaded' },
  { what: 'recording.rescued', detail: /^/, status: 'available' },
  { what: 'recording.failed', detail: new RegExp(`^${FAILURE}$`), status: 'failed' },
  { what: 'recording.failed', detail: /^Its upload failed/, status: 'available' },
  { what: 'recording.failed', detail: /^The bucket holds/, status: 'started' },
  { what: 'broadcast.started', detail: /^/, status: 'started' },
  { what: 'broadcast.live', detail: /^/, status: 'started' },
  { what: 'broadcast.failed', detail: /^$/, status: 'failed' },
]
/** Reasons of recordings that no archive has. */
const NEVER = /^It was never started\.|^The session was never opened\./
const SIZES = /^The bucket holds (\d+) bytes of the (\d+) that the platform reports/

type Seen = Pick<Evidence, 'shows' | 'statusChanges' | 'apiRequests'>

/**
 * Checks that what the timeline of a show states has happened: what it says of a part is true of the part's archive or broadcast, it
 * names only what was ordered, and the last entry gives the reason of the result.
 */
export function trueTimelines(evidence: Seen): string[] {
  const changes = Map.groupBy(
    evidence.statusChanges.filter(({ tag }) => tag !== undefined),
    ({ kind, tag }) => `${kind} ${tag}`,
  )
  return evidence.shows.flatMap((show) => {
    const names = namesIn(show, evidence)
    return (show.state?.timeline ?? []).flatMap((entry) =>
      problemsOf(entry, {
        show,
        names,
        statusesOf: (kind) =>
          (changes.get(`${kind} ${show.showId}/${entry.name}/${entry.part}`) ?? [])
            .filter(({ at }) => at <= Date.parse(entry.at) + SKEW * 1000)
            .map(({ status }) => status),
      }).map((problem) => `the show ${show.showId.slice(0, 12)} ${problem}`),
    )
  })
}

interface Context {
  readonly show: ShowEvidence
  readonly names: Readonly<Record<Kind, ReadonlySet<string>>>
  /** Returns the statuses that the resources of the entry's part had by then. */
  readonly statusesOf: (kind: Kind) => string[]
}

function problemsOf(entry: Entry, { show, names, statusesOf }: Context): string[] {
  const { what, name = '', part, detail = '' } = entry
  const kind = what.startsWith('recording.') ? 'archive' : /^(broadcast|output)\./.test(what) ? 'broadcast' : undefined
  const stated = `states ${what} of ${name}${part === undefined ? '' : `/${part}`}`
  if (what === 'show.ended') return problemsOfEnd(detail, show)
  if (kind === undefined) return []
  const needed = NEEDED.find((one) => one.what === what && one.detail.test(detail))?.status
  const statuses = statusesOf(kind)
  const isStarted = NEVER.test(detail) && statuses.includes('started')
  return [
    ...(names[kind].has(name) ? [] : [`${stated}, which was not ordered`]),
    ...(needed === undefined || statuses.includes(needed) ? [] : [`${stated} (${detail}), which was never ${needed}`]),
    ...(isStarted ? [`${stated}, which was started: ${detail}`] : []),
    ...problemsOfSizes(entry, show).map((problem) => `${stated} ${problem}`),
  ]
}

/** The sizes that an entry names are those of the result, and differ. */
function problemsOfSizes({ name, part, detail = '' }: Entry, { result }: ShowEvidence): string[] {
  const [, held, reported] = SIZES.exec(detail) ?? []
  if (held === undefined) return []
  const { lost } = result?.recordings.find((one) => one.name === name && one.part === part) ?? {}
  return held !== reported && (lost === undefined || lost === detail) ? [] : [`with other sizes: ${detail}`]
}

function problemsOfEnd(detail: string, { result }: ShowEvidence): string[] {
  return result && result.reason !== detail ? [`ended for “${detail}”, and for “${result.reason}” by its result`] : []
}

/** Returns the names of the ordered recordings and broadcasts, also of those that callers added. */
function namesIn({ showId, request }: ShowEvidence, { apiRequests }: Seen): Context['names'] {
  const added = apiRequests
    .filter(({ method, path }) => method === 'POST' && path === `/shows/${showId}/broadcasts`)
    .map(({ body }) => (JSON.parse(body) as { readonly name?: string }).name ?? '')
  return {
    archive: new Set(request?.show.recordings.map(({ name }) => name)),
    broadcast: new Set([...(request?.show.broadcasts.map(({ name }) => name) ?? []), ...added]),
  }
}
