import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { ClipRecord } from '../../../../lib/publish/manifest/clip.ts'
import { keys } from '../../../../lib/show/state/keys.ts'
import { liveFactsIn } from '../../environment/media/live-segments.ts'
import { COMPOSITE } from '../../environment/media/media-facts.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { deletedIn, editsIn, isDone, isUncertain } from '../requests/edits-of.ts'
import { type ArchiveFile, archiveFilesIn, hexOf, isGivenUp, manifestIn, mayBeUnknown } from './archive-files.ts'

type Seen = Pick<
  Evidence,
  'objects' | 'executions' | 'events' | 'apiRequests' | 'messages' | 'leftOut' | 'shows' | 'trace'
>

/** Matches the key of the record of a clip. */
const RECORD = /^recordings\/([^/]+)\/clips\/([^/]+)\/clip\.json$/
const CLIP_OF_SHOW = /^\/shows\/[^/]+\/clips\/([^/]+)$/
const CLIPS = /^\/(shows|recordings)\/([^/]+)\/clips$/

/**
 * Checks the clips of live shows and of published recordings: each accepted request has one clip, however often it is repeated. A
 * clip that was deleted is gone. A clip ends with an MP4 of its times, or with a reason, and its owner is notified of either. It
 * fails only if its recording is lost, has no HLS or ended before it, if its broadcast could not be read, or if operators are
 * notified.
 */
export function clipsOfShows(evidence: Seen): string[] {
  if ('StartPublish' in evidence.leftOut) return []
  const files = new Map(archiveFilesIn(evidence).map((file) => [file.archiveId, file]))
  const clips = [...evidence.objects].flatMap(([key, { text }]) =>
    RECORD.test(key) ? [JSON.parse(text) as ClipRecord] : [],
  )
  return [
    ...clips.flatMap((clip) =>
      problemsOf(clip, files.get(clip.archiveId), evidence).map((one) => `the clip ${clip.clipId} ${one}`),
    ),
    ...unmade(clips, evidence),
  ]
}

function problemsOf(clip: ClipRecord, file: ArchiveFile | undefined, evidence: Seen): string[] {
  const { status, problem } = clip
  if (status === 'queued' || status === 'cutting')
    return mayStay(clip, file, evidence) ? [] : [`stays ${status} without a reason`]
  const events = evidence.events
    .map(({ detail }) => detail as OwnerEvent)
    .filter(({ clipId }) => clipId === clip.clipId)
  return [
    ...(status === 'failed' ? problemsOfFailure(clip, file, evidence) : problemsOfFile(clip, evidence)),
    ...(file && mayBeUnknown(file, evidence.trace) ? [] : problemsOfTags(clip, evidence)),
    ...(clip.createdBy === 'app' ? [] : ['does not say who requested it']),
    ...(events.length > 0 ? [] : [`is ${status}, and its owner is not notified`]),
    ...events.flatMap((event) => [
      ...(event.status === status ? [] : [`is ${status}, and ${event.status} by an event`]),
      ...(event.showId === showIdOf(clip, evidence) ? [] : ['has an event of another show']),
      ...(event.reason === problem ? [] : ['has an event with another reason']),
    ]),
    ...(new Set(events.map(({ id }) => id)).size > 1 ? ['has several ids for one event'] : []),
  ]
}

/** The rules of the bucket delete each object of a clip by its tag, as its show or its recording orders. */
function problemsOfTags({ archiveId, clipId, live }: ClipRecord, { objects, shows }: Seen): string[] {
  const { request } = shows.find(({ showId }) => showId === live?.showId) ?? {}
  const order = live ? request?.show.publish : manifestIn(objects, archiveId)
  const ordered = order?.keepDays === undefined ? undefined : String(order.keepDays)
  const folder = keys.published(archiveId, 'clips', clipId, '')
  return [...objects].flatMap(([key, { tags }]) =>
    !order || !key.startsWith(folder) || tags?.keepDays === ordered
      ? []
      : [`has ${key}, which is tagged with keepDays ${tags?.keepDays ?? 'none'}, and ${ordered ?? 'none'} was ordered`],
  )
}

/** Returns the id of the show of a clip: that of its recording, if it is not a clip of a live show. */
const showIdOf = ({ queued, live, archiveId }: ClipRecord, { objects }: Seen) =>
  queued || live ? (queued ?? live)?.showId : manifestIn(objects, archiveId)?.show?.showId

/**
 * A clip may stay where a queue or an alarm reports the loss of its publish, or its recording never arrived. So may one whose
 * request was never answered as accepted: a repeated request continues it.
 */
const mayStay = ({ archiveId, clipId }: ClipRecord, file: ArchiveFile | undefined, evidence: Seen) =>
  !evidence.apiRequests.some(
    ({ method, status, answer }) => method === 'POST' && (status ?? 500) < 300 && answer.includes(clipId),
  ) ||
  evidence.messages.some(({ text }) => text.includes(archiveId)) ||
  (file ? isGivenUp(file, evidence) : evidence.shows.some(({ result }) => !result))

/** Returns true for a recording that a show has reported as lost, although it arrived later. */
const wasLost = (archiveId: string, { shows }: Seen) =>
  shows.some(({ result }) => result?.recordings.some((one) => one.archiveId === archiveId && one.lost !== undefined))

function problemsOfFailure(clip: ClipRecord, file: ArchiveFile | undefined, evidence: Seen) {
  const { from, problem, archiveId, live } = clip
  if (!problem) return ['failed without a reason']
  if (live) return hasFaults(evidence) ? [] : [`failed, although its broadcast can be read: ${problem}`]
  const manifest = manifestIn(evidence.objects, archiveId)
  const hasHls = manifest?.files.some(({ role }) => role === 'hls') ?? false
  const isOver = (manifest?.duration ?? 0) < from + 1
  const isLost = wasLost(archiveId, evidence)
  const reasons = { 'encoded otherwise': manifest?.parts, 'ended before the clip': isOver, 'is lost': isLost }
  const isFalse = Object.entries(reasons).some(([words, isSo]) => problem.includes(words) && !isSo)
  if (isFalse) return [`failed for a reason that does not apply: ${problem}`]
  return !file || !hasHls || isOver || isGivenUp(file, evidence) || isLost
    ? []
    : [`failed, although its recording has it: ${problem}`]
}

/** Faults of the calls that cut a clip of a broadcast. */
const READING = /CutClip|PublishClip/
const hasFaults = ({ trace }: Seen) => exceptionsIn(trace).some(({ line }) => READING.test(line))

/** The clips of a composite state that, and not their archive. Those of a joined recording state one of its parts. */
const isOf = (archiveIds: readonly string[], text: string) =>
  archiveIds.some((archiveId) => text.includes(archiveId)) || text.includes(`"id":"${COMPOSITE}"`)

function problemsOfFile(clip: ClipRecord, { objects, shows }: Seen): string[] {
  const { file, from, to, archiveId, live } = clip
  const object = file && objects.get(file.key)
  if (!object) return ['has no file']
  const isAsRecorded = object.size === file.size && hexOf(object) === file.sha256
  const changed = isAsRecorded ? [] : ['has a file that is not so in the bucket']
  if (live)
    return [
      ...changed,
      ...problemsOfLiveFile({ ...clip, live }, object.text),
      ...problemsOfPicture({ ...clip, live }, shows),
    ]
  const { duration, parts = [archiveId] } = manifestIn(objects, archiveId) ?? {}
  return [
    ...changed,
    ...(object.text.startsWith(`clip from ${from} to ${to} of `) ? [] : ['has a file of other times']),
    ...(isOf(parts, object.text) ? [] : ['has a file of another recording']),
    ...(to <= (duration ?? Number.POSITIVE_INFINITY) ? [] : ['ends after its recording']),
  ]
}

/** Seconds by which the times of a clip may differ from those of its frames, which are rounded. */
const ROUNDED = 0.01

type LiveClip = ClipRecord & { readonly live: NonNullable<ClipRecord['live']> }

function problemsOfLiveFile({ archiveId, from, to, live }: LiveClip, text: string): string[] {
  const facts = liveFactsIn(text)
  if (facts?.broadcast !== archiveId) return ['has a file of another broadcast']
  const [, ...times] = /^clip from (\S+) to (\S+) of /.exec(text) ?? []
  const shift = (Date.parse(live.startedAt) - facts.start) / 1000
  const isExact = [from, to].every((time, index) => Math.abs(time + shift - Number(times[index])) <= ROUNDED)
  return isExact ? [] : ['has a file of other times']
}

/** Pixels of a broadcast without a resolution, by the platform’s documentation. */
const RESOLUTION = '640x480'

function problemsOfPicture({ archiveId, live }: LiveClip, shows: Seen['shows']): string[] {
  const { request, state } = shows.find(({ showId }) => showId === live.showId) ?? {}
  const added = state?.broadcasts.find(({ broadcastId }) => broadcastId === archiveId)?.order
  const order = added ?? request?.show.broadcasts.find(({ name }) => name === live.broadcast)
  const { width, height } = live.picture
  const ordered = order?.resolution ?? RESOLUTION
  return `${width}x${height}` === ordered ? [] : [`is ${width}x${height} large, and its broadcast ${ordered}`]
}

/** Finds requests that were accepted and have no clip, or several. */
function unmade(clips: readonly ClipRecord[], { apiRequests, shows, trace }: Seen): string[] {
  const deletedRecordings = deletedIn({ apiRequests, trace })
  const isDeleted = ({ archiveId = '' }: { readonly archiveId?: string | undefined }) =>
    deletedRecordings.has(archiveId)
  // A clip of a show is deleted with its recording.
  const ofShows = shows.filter(({ state }) => (state?.recordings ?? []).some(isDeleted)).map(({ showId }) => showId)
  const gone = new Set([...deletedRecordings, ...ofShows])
  const deleted = [
    ...editsIn({ apiRequests }).filter((edit) => edit.action === 'DELETE clips'),
    ...apiRequests.flatMap((request) => {
      const [, of] = request.method === 'DELETE' ? (CLIP_OF_SHOW.exec(request.path) ?? []) : []
      return of === undefined ? [] : [{ ...request, of }]
    }),
  ]
  const mayBeGone = (id: string | undefined) =>
    deleted.some((edit) => edit.of === id && (isDone(edit) || isUncertain(edit)))
  const kept = deleted.filter((edit) => isDone(edit) && clips.some(({ clipId }) => clipId === edit.of))
  const accepted = apiRequests.filter(
    ({ method, path, status }) =>
      method === 'POST' && CLIPS.test(path) && status === 202 && !gone.has(CLIPS.exec(path)?.[2] ?? ''),
  )
  const problems = [...Map.groupBy(accepted, ({ path, key }) => `${path} with the key ${key}`)].flatMap(
    ([what, same]) => {
      const ids = new Set(same.map(({ answer }) => (JSON.parse(answer) as { clipId?: string }).clipId))
      const missing = [...ids].filter((id) => !clips.some(({ clipId }) => clipId === id) && !mayBeGone(id))
      return [
        ...(ids.size > 1 ? [`${what} made ${ids.size} clips`] : []),
        ...missing.map((id) => `${what} was answered with the clip ${id}, which does not exist`),
      ]
    },
  )
  return [...problems, ...kept.map(({ of }) => `the clip ${of} was deleted, and exists`)]
}
