import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'

type Entry = ShowState['timeline'][number]
type Kind = 'archive' | 'broadcast'

/** Seconds by which the clock of the platform, which dates its changes, may differ. */
const SKEW = 6

/** Statuses of the resource of a part of which its entry needs one, by its event, and by the reason that it states. */
const NEEDED: readonly { readonly what: string; readonly detail: RegExp; readonly statuses: readonly string[] }[] = [
  { what: 'recording.started', detail: /^/, statuses: ['started'] },
  { what: 'recording.resumed', detail: /^/, statuses: ['started'] },
  { what: 'recording.paused', detail: /^/, statuses: ['stopped', 'failed'] },
  { what: 'recording.arrived', detail: /^/, statuses: ['uploaded'] },
  { what: 'recording.rescued', detail: /^/, statuses: ['available'] },
  { what: 'recording.failed', detail: /^failure$/, statuses: ['failed'] },
  { what: 'recording.failed', detail: /^Its upload failed/, statuses: ['available'] },
  { what: 'recording.failed', detail: /^The bucket holds/, statuses: ['started'] },
  { what: 'broadcast.started', detail: /^/, statuses: ['started'] },
  { what: 'broadcast.live', detail: /^/, statuses: ['started'] },
  { what: 'broadcast.failed', detail: /^$/, statuses: ['failed'] },
]
/** Reasons of recordings that no archive has. */
const NEVER = /^It was never started\.|^The session was never opened\./
const SIZES = /^The bucket holds (\d+) bytes of the (\d+) that the platform reports/

type Seen = Pick<Evidence, 'shows' | 'statusChanges' | 'apiRequests'>

/**
 * Checks that what the timeline of a show states has happened: what it says of a part is true of the part's archive or broadcast,
 * it names only what was ordered, and the last entry gives the reason of the result. It has each entry of the result once.
 */
export function trueTimelines(evidence: Seen): string[] {
  const changes = Map.groupBy(
    evidence.statusChanges.filter(({ tag }) => tag !== undefined),
    ({ kind, tag }) => `${kind} ${tag}`,
  )
  return evidence.shows.flatMap((show) => {
    const names = namesIn(show, evidence)
    const problems = (show.state?.timeline ?? []).flatMap((entry) =>
      problemsOf(entry, {
        show,
        names,
        statusesOf: (kind, seconds) =>
          (changes.get(`${kind} ${show.showId}/${entry.name}/${entry.part}`) ?? [])
            .filter(({ at }) => at <= Date.parse(entry.at) + seconds * 1000)
            .map(({ status }) => status),
      }),
    )
    return [...problems, ...problemsOfResult(show)].map((problem) => `the show ${show.showId.slice(0, 12)} ${problem}`)
  })
}

/** Finds entries that the timelines of a state and a result do not have equally often. A state may have later ones. */
function problemsOfResult({ state, result }: ShowEvidence): string[] {
  const counted = (timeline: readonly Entry[]) =>
    Map.groupBy(timeline, ({ what, name, part }) => `${what} ${name} ${part}`)
  const [ofState, ofResult] = [counted(state?.timeline ?? []), counted(result?.timeline ?? [])]
  return [...ofResult].flatMap(([what, { length }]) => {
    const count = ofState.get(what)?.length ?? 0
    return count >= length ? [] : [`has ${what} ${length} times in its result, and ${count} times in its state`]
  })
}

interface Context {
  readonly show: ShowEvidence
  readonly names: Readonly<Record<Kind, ReadonlySet<string>>>
  /** Returns the statuses that the resources of the entry's part had some seconds later, or before if negative. */
  readonly statusesOf: (kind: Kind, seconds: number) => string[]
}

function problemsOf(entry: Entry, { show, names, statusesOf }: Context): string[] {
  const { what, name = '', part, detail = '' } = entry
  const kind = what.startsWith('recording.') ? 'archive' : /^(broadcast|output)\./.test(what) ? 'broadcast' : undefined
  const stated = `states ${what} of ${name}${part === undefined ? '' : `/${part}`}`
  if (what === 'show.ended') return problemsOfEnd(detail, show)
  if (kind === undefined) return []
  const needed = NEEDED.find((one) => one.what === what && one.detail.test(detail))?.statuses
  const statuses = statusesOf(kind, SKEW)
  const isStarted = NEVER.test(detail) && statusesOf(kind, -SKEW).includes('started')
  return [
    ...(names[kind].has(name) ? [] : [`${stated}, which was not ordered`]),
    ...(!needed || needed.some((status) => statuses.includes(status))
      ? []
      : [`${stated} (${detail}), which was never ${needed.join(' or ')}`]),
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
