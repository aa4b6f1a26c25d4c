import { damageOf, gapsOf, hasOtherCodec, type MediaFacts } from '../../environment/media/media-facts.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import type { ArchiveFile, SeenManifest } from './archive-files.ts'

interface Chapter {
  /** Seconds. */
  readonly start: number
  readonly title: string
}

interface Marker {
  /** Seconds of the recording. */
  readonly at: number
  readonly title: string
}

/** The show and the recording of an archive, or undefined for one without a show. */
type Ordered = { readonly showId: string; readonly name: string; readonly request: ShowEvidence['request'] } | undefined

/**
 * Checks the chapters of a published recording: they begin at the markers of the show, or without any at gaps. A marker counts if it
 * was requested before the recording was published, and may count if it was requested meanwhile.
 */
export function problemsOfChapters(
  manifest: Pick<SeenManifest, 'files' | 'missing'>,
  file: Pick<ArchiveFile, 'archiveId' | 'executions'>,
  facts: MediaFacts,
  ordered: Ordered,
  evidence: Pick<Evidence, 'objects' | 'shows' | 'statusChanges'>,
): string[] {
  if (hasOtherCodec(facts.id)) return []
  const isMissing = (manifest.missing ?? []).some(({ format }) => format === 'chapters')
  const key = manifest.files.find(({ role }) => role === 'chapters')?.key
  const text = evidence.objects.get(key ?? '')?.text
  const seen = isMissing ? undefined : chaptersIn(text ?? '')
  const allowed = markerSets(file, ordered, evidence).map((markers) => expectedOf(markers, facts))
  if (allowed.some((one) => areEqual(one, seen))) return []
  return [`has ${wordsOf(seen)}, and should have ${[...new Set(allowed.map(wordsOf))].join(' or ')}`]
}

/** Chapters, or undefined for those that cannot be made. */
type Outcome = readonly Chapter[] | undefined

/** Seconds by which a time may differ that is rounded. */
const TOLERANCE = 0.01

const areEqual = (one: Outcome, other: Outcome) =>
  one === undefined || other === undefined
    ? one === other
    : one.length === other.length &&
      one.every(({ start, title }, index) => {
        const chapter = other[index]
        return chapter?.title === title && Math.abs(chapter.start - start) <= TOLERANCE
      })

function wordsOf(chapters: Outcome): string {
  if (chapters === undefined) return 'chapters that are missing'
  if (chapters.length === 0) return 'no chapters'
  return `the chapters ${chapters.map(({ start, title }) => `${start.toFixed(2)} ${title}`).join(', ')}`
}

function expectedOf(markers: readonly Marker[], facts: MediaFacts): Outcome {
  if (markers.length > 0) return atMarkers(markers, facts.seconds)
  return damageOf(facts.id) === 'picture' ? undefined : atGaps(facts)
}

/** Seconds; a shorter chapter is left out. */
const SHORTEST = 0.5

function atMarkers(markers: readonly Marker[], seconds: number): Chapter[] {
  const starts = [
    { start: 0, title: 'Chapter 1' },
    ...markers.map(({ at, title }) => ({ start: Math.max(0, at), title })),
  ]
  const lasting = starts.filter(
    ({ start }, index) => Math.min(starts[index + 1]?.start ?? seconds, seconds) - start >= SHORTEST,
  )
  const chapters = lasting.map(({ title, start }, index) => ({ title, start: index === 0 ? 0 : start }))
  return chapters.length === 1 && chapters[0]?.title === 'Chapter 1' ? [] : chapters
}

/**
 * Seconds of a passage that is black, and of one that is silent, from which a chapter begins after it. Of both, any is enough. The gaps of
 * a simulated recording are farther apart than the shortest chapter.
 */
const MIN_BLACK = 2
const MIN_SILENT = 5

function atGaps(facts: MediaFacts): Chapter[] {
  const isHeard = facts.hasAudio && damageOf(facts.id) !== 'audio'
  const ends = gapsOf({ ...facts, hasAudio: isHeard }).flatMap(({ start, end, isBlack, isSilent }) => {
    const isGap =
      (isBlack && isSilent) || (isBlack && end - start >= MIN_BLACK) || (isSilent && end - start >= MIN_SILENT)
    return isGap ? [end] : []
  })
  return ends.length === 0 ? [] : [0, ...ends].map((start, index) => ({ start, title: `Chapter ${index + 1}` }))
}

/** A part in a joined recording. */
interface JoinedPart {
  readonly manifest: Pick<SeenManifest, 'files' | 'duration'>
  /** Seconds of the joined recording at which the part begins, about. */
  readonly offset: number
}

/** Seconds at both ends of a part that may be cut off or belong to another part as well. */
const SEAM = 60
/** Seconds by which the offset of a part may differ: creation times are rounded, and markers are placed by them. */
const ROUNDED = 3

/** Checks that the chapters of parts which begin away from the seams are chapters of the joined recording, at their times. */
export function problemsOfJoinedChapters(
  joined: Pick<SeenManifest, 'files'>,
  parts: readonly JoinedPart[],
  { objects }: Pick<Evidence, 'objects'>,
): string[] {
  const chaptersOf = ({ files }: Pick<SeenManifest, 'files'>) =>
    chaptersIn(objects.get(files.find(({ role }) => role === 'chapters')?.key ?? '')?.text ?? '')
  const found = chaptersOf(joined)
  const hasTitle = (title: string) => (one: Chapter) => /^Chapter \d+$/.test(title) || one.title === title
  return parts.flatMap(({ manifest, offset }, index) =>
    chaptersOf(manifest)
      .filter(({ start }) => start > SEAM && start < (manifest.duration ?? 0) - SEAM)
      .filter(
        ({ start, title }) =>
          !found.some((one) => Math.abs(one.start - offset - start) <= ROUNDED * (index + 1) && hasTitle(title)(one)),
      )
      .map(({ start, title }) => `has no chapter ${title} at ${Math.round(offset + start)} s, as part ${index + 1}`),
  )
}

/** Returns the sets of markers that the publish may have read, each in order of time. */
function markerSets(
  { archiveId, executions }: Pick<ArchiveFile, 'archiveId' | 'executions'>,
  ordered: Ordered,
  { shows, statusChanges }: Pick<Evidence, 'shows' | 'statusChanges'>,
): Marker[][] {
  const { request, state } = shows.find(({ showId }) => showId === ordered?.showId) ?? {}
  const liveAt = Date.parse(state?.liveAt ?? '')
  const createdAt = statusChanges.find(({ id }) => id === archiveId)?.createdAt
  if (!ordered || !request || createdAt === undefined || Number.isNaN(liveAt)) return [[]]
  const planned = request.show.cues.flatMap(({ at, marker: title, ...cue }) =>
    title !== undefined && (cue.recording ?? ordered.name) === ordered.name
      ? [{ at: at - (createdAt - liveAt) / 1000, title, since: 0 }]
      : [],
  )
  const requested = (state?.markers ?? []).map(({ id, at, title }) => ({
    ...{ at: (Date.parse(at) - createdAt) / 1000, title },
    since: Date.parse(state?.timeline?.find((one) => one.what === 'control.marker' && one.id === id)?.at ?? '') || 0,
  }))
  const all = [...planned, ...requested]
  const first = Math.min(...executions.map(({ startDate }) => startDate.getTime()))
  const moments = [first, ...all.map(({ since }) => since).filter((since) => since >= first)]
  return moments.map((moment) => all.filter(({ since }) => since <= moment).sort((one, other) => one.at - other.at))
}

const SECONDS = [3_600, 60, 1] as const

/** Reads the chapters of a WebVTT file. */
function chaptersIn(text: string): Chapter[] {
  const secondsOf = (time: string) =>
    time
      .split(':')
      .map(Number)
      .reduce((sum, number, index, { length }) => sum + number * (SECONDS[index + 3 - length] ?? 0), 0)
  const [, ...cues] = text.split('\n\n')
  return cues.map((cue) => {
    const [times = '', title = ''] = cue.split('\n')
    return { start: secondsOf(times.split(' ')[0] ?? ''), title: unescaped(title) }
  })
}

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
