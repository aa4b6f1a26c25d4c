/** @import { KnownRecording, Participant, Recording, Resource, Show, ShowLine } from './answers.d.ts' */
import { partWords } from './format.js'

/** @param {Pick<ShowLine, 'status'>} show */
export const isOver = ({ status }) => ['succeeded', 'failed', 'stopped'].includes(status)

/** Links are promised for 15 minutes at least (`expiresAt`); older ones are replaced before they fail. */
const LINK_AGE_MS = 10 * 60_000
const SETTLING_MS = 60_000
const FORGOTTEN_MS = 3_600_000

/**
 * Whether something may change within seconds: a show runs, or has just ended and is being published. One that is long past
 * its planned end was left behind by a process that was ended, and is no reason to hurry.
 * @param {readonly Show[]} shows
 * @param {number} now milliseconds
 */
export const isBusy = (shows, now) =>
  shows.some((show) => {
    if (show.status === 'scheduled') return false
    if (isOver(show)) return show.endedAt !== undefined && now - Date.parse(show.endedAt) < SETTLING_MS
    return now - Date.parse(show.plannedEndAt ?? show.acceptedAt) < FORGOTTEN_MS
  })

/**
 * The shows whose details must be read: those that go on, and those of which the result is not known yet.
 * @param {readonly ShowLine[]} lines
 * @param {ReadonlyMap<string, Show>} known
 */
export const toRead = (lines, known) => lines.filter(({ showId }) => known.get(showId)?.result === undefined)

/**
 * How far a show is, for its clock: undefined once it is over.
 * @param {Show} show
 * @param {number} now milliseconds
 * @returns {{ label: string, seconds: number, fraction?: number } | undefined}
 */
export function progress(show, now) {
  const { status, acceptedAt, liveAt, plannedEndAt } = show
  if (isOver(show) || status === 'scheduled') return undefined
  const since = (/** @type {string} */ time) => (now - Date.parse(time)) / 1000
  if (!liveAt || !plannedEndAt)
    return {
      label: status === 'waiting' ? 'waiting for somebody to connect' : 'since it was accepted',
      seconds: since(acceptedAt),
    }
  const left = -since(plannedEndAt)
  if (status === 'live' && left > 0)
    return { label: 'until the end', seconds: Math.ceil(left), fraction: since(liveAt) / (since(liveAt) + left) }
  return {
    label: status === 'live' ? 'past the planned end' : 'waiting for the files',
    seconds: Math.max(0, -left),
    fraction: 1,
  }
}

/**
 * Recordings as they are now, with the links of before as long as those work: a player whose address changed would start
 * again. Each is given the name it has in its show.
 * @param {readonly Recording[]} fresh
 * @param {readonly KnownRecording[]} before
 * @param {readonly Show[]} shows
 * @param {number} now milliseconds
 * @returns {KnownRecording[]}
 */
export function mergeRecordings(fresh, before, shows, now) {
  return fresh.map((recording) => {
    const old = before.find(({ archiveId }) => archiveId === recording.archiveId)
    const origin = shows
      .flatMap((show) => show.recordings.map((one) => ({ ...one, name: partWords(one), showName: show.name })))
      .find(({ archiveId }) => archiveId === recording.archiveId)
    const named = { ...recording, ...(origin && { name: origin.name, showName: origin.showName }) }
    if (!old || now - old.linkedAt >= LINK_AGE_MS) return { ...named, linkedAt: now }
    const linkOf = (/** @type {{ key: string, url: string }} */ { key, url }) =>
      [old.source, ...old.files].find((file) => file.key === key)?.url ?? url
    return {
      ...named,
      source: { ...recording.source, url: linkOf(recording.source) },
      files: recording.files.map((file) => ({ ...file, url: linkOf(file) })),
      linkedAt: old.linkedAt,
    }
  })
}

/**
 * What the show's picture shows: the broadcast while it runs, then the first recording that can be played.
 * @param {Show} show
 * @param {readonly KnownRecording[]} recordings
 * @returns {{ live: string } | { recording: KnownRecording } | undefined}
 */
export function stageOf(show, recordings) {
  if (!isOver(show)) {
    const isOnAir = (/** @type {Resource} */ one) => one.hls && !one.problem && one.status !== 'stopped'
    const live = show.broadcasts.find(isOnAir)?.hls
    return live ? { live } : undefined
  }
  const recording = show.recordings
    .map(({ archiveId }) => recordings.find((one) => one.archiveId === archiveId))
    .find((one) => one && one.status !== 'failed' && one.duration !== null)
  return recording && { recording }
}

/**
 * The lines of a show's scenes, dial-ins, recordings and broadcasts: what each is doing, and what is wrong with it.
 * @param {Show} show
 * @param {readonly KnownRecording[]} recordings
 */
export function resourceLines(show, recordings) {
  const latest = show.result ?? show
  const none = isOver(show) ? 'not started' : 'to come'
  const results = new Map((show.result?.recordings ?? []).map((one) => [one.tag, one]))
  const participant = (/** @type {string} */ kind) => (/** @type {Participant} */ one) => ({
    key: `${kind} ${one.name}`,
    kind,
    name: one.name,
    state: one.status ?? none,
    problem: one.problem ?? (one.status === 'failed' ? one.reason : undefined),
  })
  return [
    ...latest.scenes.map(participant('Scene')),
    ...latest.dialIns.map(participant('Dial-in')),
    ...show.recordings.map((recording) => {
      const { archiveId, status, problem, tag } = recording
      const result = results.get(tag)
      const published = recordings.find((one) => one.archiveId !== undefined && one.archiveId === archiveId)
      const state = published ? PUBLISHED_WORDS[published.status] : result?.key ? 'arrived' : (result?.status ?? status)
      return {
        key: `recording ${tag}`,
        kind: 'Recording',
        name: partWords(recording),
        state: state ?? none,
        problem: problem ?? result?.lost ?? published?.message,
      }
    }),
    ...latest.broadcasts.map((broadcast) => ({
      key: `broadcast ${broadcast.tag}`,
      kind: 'Broadcast',
      name: partWords(broadcast),
      state: broadcast.status ?? none,
      problem: broadcast.problem,
    })),
  ]
}

const PUBLISHED_WORDS = { ready: 'published, more is being made', complete: 'published', failed: 'not published' }
