import type { ListedStream } from '../answers.ts'
import type { SeenParticipant } from './timeline-rows.ts'

/** Keeps the participants whose streams the page has seen in a show. Streams of scenes and calls have other rows. */
export function createSeenParticipants() {
  const seen = new Map<string, SeenParticipant>()
  return {
    /** Notes what is published now; undefined if that is not known. Returns everything seen so far, the earliest first. */
    note(streams: readonly ListedStream[] | undefined, now: number): readonly SeenParticipant[] {
      const present = (streams ?? []).filter(({ scene, dialIn }) => scene === undefined && dialIn === undefined)
      const ids = new Set(present.map(({ streamId }) => streamId))
      for (const [streamId, one] of seen)
        if (streams && one.isPresent && !ids.has(streamId)) seen.set(streamId, { ...one, isPresent: false })
      for (const { streamId, name } of present)
        seen.set(streamId, { streamId, name, from: seen.get(streamId)?.from ?? now, to: now, isPresent: true })
      return [...seen.values()]
    },
  }
}
