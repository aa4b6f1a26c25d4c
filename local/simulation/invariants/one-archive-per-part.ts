import { isTagOf } from '../../../lib/show/document/fields/names.ts'
import type { TimedStatusChange } from '../environment/watch-resources.ts'
import type { Evidence } from './evidence.ts'
import { straysOf } from './strays.ts'

/**
 * Checks that a show has at most one archive per recording and part, except strays. At most one broadcast of a tag and one
 * composer of a name in a session run at a time. Two scenes do not share a composer. No callee is called more often than the show
 * asks for.
 */
export function oneArchivePerPart(evidence: Evidence): string[] {
  const { statusChanges, shows } = evidence
  const strays = straysOf(evidence)
  return [
    ...archivesOfOneTag(statusChanges.filter(({ id }) => !strays.has(id))),
    ...partsOfOneArchive(shows),
    ...strangers(statusChanges, shows),
    ...broadcastsAtOnce(statusChanges),
    ...composersAtOnce(statusChanges),
    ...outputsAtOnce(statusChanges),
    ...othersComposers(statusChanges, shows),
    ...calls(statusChanges, shows),
  ]
}

function archivesOfOneTag(seen: readonly TimedStatusChange[]): string[] {
  const started = seen.filter(({ kind, tag, isAutomatic }) => kind === 'archive' && tag !== undefined && !isAutomatic)
  const byTag = Map.groupBy(started, ({ tag = '' }) => tag)
  return [...byTag].flatMap(([tag, changes]) => {
    const ids = new Set(changes.map(({ id }) => id))
    return ids.size > 1 ? [`${ids.size} archives have the tag ${tag}: ${[...ids].join(', ')}`] : []
  })
}

/** Finds archives that stand for several parts: one of these would not have been recorded. */
function partsOfOneArchive(shows: Evidence['shows']): string[] {
  const parts = shows
    .flatMap(({ result }) => result?.recordings ?? [])
    .filter(({ archiveId }) => archiveId !== undefined)
  return [...Map.groupBy(parts, ({ archiveId = '' }) => archiveId)].flatMap(([id, several]) =>
    several.length > 1
      ? [`the archive ${id} is ${several.map(({ name, part }) => `${name}/${part}`).join(' and ')}`]
      : [],
  )
}

/** Finds resources without the tag of a show, which could not be adopted. */
function strangers(seen: readonly TimedStatusChange[], shows: Evidence['shows']): string[] {
  const isKnown = (tag: string | undefined) => shows.some(({ showId }) => isTagOf(showId, tag))
  const begun = seen.filter(({ kind, status }) => (kind === 'archive' || kind === 'broadcast') && status === 'started')
  const unknown = begun.filter(({ tag, isAutomatic }) => !isAutomatic && !isKnown(tag))
  return [...new Set(unknown.map(({ kind, id, tag = 'none' }) => `the ${kind} ${id} has the tag of no show: ${tag}`))]
}

const broadcastsAtOnce = (seen: readonly TimedStatusChange[]) =>
  atOnce(
    seen.filter(({ kind }) => kind === 'broadcast'),
    ({ tag = '' }) => `the tag ${tag}`,
    'broadcasts',
  )

const composersAtOnce = (seen: readonly TimedStatusChange[]) =>
  atOnce(
    seen.filter(({ kind, name }) => kind === 'composer' && name !== undefined),
    ({ sessionId, name = '' }) => `the name ${name} in session ${sessionId}`,
    'composers',
  )

/** Finds scenes whose composer is that of another scene or session. */
function othersComposers(seen: readonly TimedStatusChange[], shows: Evidence['shows']): string[] {
  const composers = new Map(seen.filter(({ kind }) => kind === 'composer').map((one) => [one.id, one]))
  return shows.flatMap(({ state }) =>
    (state?.scenes ?? []).flatMap(({ name, composerId = '' }) => {
      const composer = composers.get(composerId)
      const isOwn = !composer || (composer.name === name && composer.sessionId === state?.sessionId)
      return isOwn ? [] : [`the scene ${name} has the composer of ${composer.name} in session ${composer.sessionId}`]
    }),
  )
}

/** Two parts of a broadcast with RTMP outputs would send to the same streams. */
const outputsAtOnce = (seen: readonly TimedStatusChange[]) => {
  const withOutputs = new Set(seen.filter(({ rtmpTargets = [] }) => rtmpTargets.length > 0).map(({ id }) => id))
  return atOnce(
    seen.filter(({ kind, id }) => kind === 'broadcast' && withOutputs.has(id)),
    ({ tag = '' }) => `the outputs of ${tag.replace(/\/\d+$/, '')}`,
    'broadcasts',
  )
}

const RUNNING: ReadonlySet<string> = new Set(['starting', 'started', 'paused'])

/** Finds resources that ran at the same time under one handle. */
function atOnce(
  seen: readonly TimedStatusChange[],
  handleOf: (one: TimedStatusChange) => string,
  what: string,
): string[] {
  const running = new Map<string, Set<string>>()
  const problems = new Set<string>()
  for (const one of seen) {
    const handle = handleOf(one)
    const ids = running.get(handle) ?? new Set()
    running.set(handle, ids)
    if (RUNNING.has(one.status)) ids.add(one.id)
    else ids.delete(one.id)
    if (ids.size > 1) problems.add(`several ${what} ran at once under ${handle}`)
  }
  return [...problems]
}

/**
 * Finds surplus calls. A call has no handle to adopt it by, so it is dialed once. Recurring shows may share a session.
 */
function calls(seen: readonly TimedStatusChange[], shows: Evidence['shows']): string[] {
  const bySession = Map.groupBy(shows, ({ state }) => state?.sessionId)
  return [...bySession].flatMap(([session, several]) => {
    if (session === undefined) return []
    const dialed = new Set(seen.filter(({ kind, sessionId }) => kind === 'call' && sessionId === session).map(idOf))
    const asked = several.reduce((sum, { request, state }) => {
      return sum + Math.max(request?.show.dialIns?.length ?? 0, state?.dialIns?.length ?? 0)
    }, 0)
    return dialed.size > asked ? [`${dialed.size} calls were made in the session, and ${asked} asked for`] : []
  })
}

const idOf = ({ id }: TimedStatusChange) => id
