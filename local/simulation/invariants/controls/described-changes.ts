import type { Evidence, ShowEvidence } from '../evidence.ts'

/** A change of a layout or of streams, by a request or a cue. */
interface Change {
  readonly recording?: string | undefined
  readonly broadcast?: string | undefined
  readonly layout?: { readonly type?: string | undefined } | undefined
  readonly addStream?: string
  readonly removeStream?: string
}

interface Changes {
  readonly layouts?: readonly Change[]
  readonly streams?: readonly Change[]
}

/** Matches one sentence of an entry. */
const SENTENCE = /The (?:stream|layout) .+?\.(?= The |$)/g

/**
 * Checks that a timeline describes the changes of layouts and streams that were asked for, and no others, and markers with their
 * times.
 */
export function describedChanges({ shows, apiRequests }: Pick<Evidence, 'shows' | 'apiRequests'>): string[] {
  return shows.flatMap((show) => [...changesWithoutRequests(show, apiRequests), ...wrongMarkers(show)])
}

function changesWithoutRequests(
  { showId, request, state }: ShowEvidence,
  apiRequests: Evidence['apiRequests'],
): string[] {
  const asked = apiRequests
    .filter(({ method, path, body }) => method === 'PATCH' && path === `/shows/${showId}` && body !== '')
    .map(({ body }) => JSON.parse(body) as Changes)
  const changes = asked.flatMap(({ layouts = [], streams = [] }) => [...layouts, ...streams])
  const allowed = new Set([...changes, ...((request?.show.cues ?? []) as readonly Change[])].map(sentenceOf))
  const described = (state?.timeline ?? [])
    .filter(({ what }) => what === 'control.layout' || what === 'control.streams')
    .flatMap(({ detail = '' }) => detail.match(SENTENCE) ?? [detail])
  return described
    .filter((sentence) => !allowed.has(sentence))
    .map((sentence) => `the timeline of ${showId.slice(0, 12)} describes a change without a request: ${sentence}`)
}

function wrongMarkers({ showId, state }: ShowEvidence): string[] {
  const { liveAt = '', markers = [], timeline = [] } = state ?? {}
  return markers.flatMap(({ id, at, title }) => {
    const described = timeline.find((entry) => entry.what === 'control.marker' && entry.id === id)?.detail
    const seconds = Math.round((Date.parse(at) - Date.parse(liveAt)) / 100) / 10
    return described === undefined || described === `The marker ${title} is at ${seconds} s.`
      ? []
      : [`the timeline of ${showId.slice(0, 12)} describes a marker at ${seconds} s with: ${described}`]
  })
}

function sentenceOf({ recording, broadcast, layout, addStream, removeStream }: Change): string {
  const title = recording === undefined ? `the broadcast ${broadcast}` : `the recording ${recording}`
  if (removeStream !== undefined) return `The stream ${removeStream} was removed from ${title}.`
  if (addStream !== undefined) return `The stream ${addStream} was added to ${title}.`
  return `The layout of ${title} is ${layout?.type ?? 'bestFit'}.`
}
