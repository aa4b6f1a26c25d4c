import { createCallSource } from '../live/call-source.ts'
import { createLiveSource } from '../live/live-source.ts'
import type { Publication, StreamChange, StreamChoice } from '../media.ts'
import { paletteIdentityOf } from '../pattern/palette.ts'
import { createPattern } from '../pattern/pattern.ts'
import { createFileSource } from '../sources/file-source.ts'
import type { Source } from '../sources/source.ts'
import { createHideableSource, type HideableSource } from './hideable-source.ts'

/** A published stream with its source. */
export interface EngineParticipant extends Omit<Publication, 'source'> {
  readonly source: HideableSource
  /** Number of its identity (colour and tone) in the session. */
  readonly place: number
}

/** Participants of a session in the order of publishing. */
export type EngineSession = ReturnType<typeof createSession>

export function createSession(ffmpegPath: string) {
  const participants = new Map<string, EngineParticipant>()

  const freePlace = () => {
    const taken = new Set([...participants.values()].map(({ place }) => place))
    let place = 0
    while (taken.has(place)) place++
    return place
  }

  return {
    /** Publishes a stream; `first` is the frame of its publishing. */
    publish(stream: Publication, first: number): void {
      const place = freePlace()
      const source = createHideableSource(createSource(ffmpegPath, stream, first, place), stream.name)
      source.isHidden = stream.isHidden === true
      participants.set(stream.streamId, { ...stream, place, source })
    },
    update(streamId: string, change: StreamChange): void {
      const before = participants.get(streamId)
      if (!before) return
      participants.set(streamId, { ...before, ...change })
      before.source.isHidden = change.isHidden ?? before.source.isHidden
    },
    /** Resolves when the stream's decoders are gone. */
    async unpublish(streamId: string): Promise<void> {
      const participant = participants.get(streamId)
      participants.delete(streamId)
      await participant?.source.close?.()
    },
    participants: () => [...participants.values()],
    /** Returns the participants in the video and the audio of an output with these choices. @default all */
    chosen(choices: readonly StreamChoice[] | undefined): { seen: EngineParticipant[]; heard: EngineParticipant[] } {
      const all = [...participants.values()]
      const wants = (kind: 'hasAudio' | 'hasVideo') => (participant: EngineParticipant) =>
        participant[kind] &&
        (!choices || choices.some((choice) => choice.streamId === participant.streamId && choice[kind]))
      return { seen: all.filter(wants('hasVideo')), heard: all.filter(wants('hasAudio')) }
    },
  }
}

function createSource(ffmpegPath: string, { source, name }: Publication, first: number, place: number): Source {
  switch (source.type) {
    case 'file':
      return createFileSource(ffmpegPath, source, first, place)
    case 'pattern':
      return createPattern(name, paletteIdentityOf(place), source.size)
    case 'live':
      return createLiveSource(ffmpegPath, source)
    case 'call':
      return createCallSource(ffmpegPath, source)
  }
}
