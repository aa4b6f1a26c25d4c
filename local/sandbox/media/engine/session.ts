import type { Publication, StreamChange, StreamChoice } from '../media.ts'
import { identityOf } from '../pattern/palette.ts'
import { createPattern, type Source } from '../pattern/pattern.ts'

/** A published stream with what it shows. */
export interface Participant extends Omit<Publication, 'source'> {
  readonly source: Source
  /** Which identity (colour and tone) of the session it has. */
  readonly place: number
}

/** The participants of a session in the order of publishing. */
export interface Session {
  publish(stream: Publication): void
  update(streamId: string, change: StreamChange): void
  unpublish(streamId: string): void
  participants(): readonly Participant[]
  /** Those that an output shows or lets hear, by what it has chosen (undefined: all). */
  chosen(choices: readonly StreamChoice[] | undefined): { seen: Participant[]; heard: Participant[] }
}

export function createSession(): Session {
  const participants = new Map<string, Participant>()

  const freePlace = () => {
    const taken = new Set([...participants.values()].map(({ place }) => place))
    let place = 0
    while (taken.has(place)) place++
    return place
  }

  return {
    publish(stream) {
      const place = freePlace()
      participants.set(stream.streamId, { ...stream, place, source: createPattern(stream.name, identityOf(place)) })
    },
    update(streamId, change) {
      const before = participants.get(streamId)
      if (before) participants.set(streamId, { ...before, ...change })
    },
    unpublish: (streamId) => participants.delete(streamId),
    participants: () => [...participants.values()],
    chosen(choices) {
      const all = [...participants.values()]
      const wants = (kind: 'hasAudio' | 'hasVideo') => (participant: Participant) =>
        participant[kind] &&
        (!choices || choices.some((choice) => choice.streamId === participant.streamId && choice[kind]))
      return { seen: all.filter(wants('hasVideo')), heard: all.filter(wants('hasAudio')) }
    },
  }
}
