import type { Broadcaster, Media, Recorder } from '../../../sandbox/media/media.ts'

type Choices = Parameters<Recorder['setStreams']>[0]

/** The streams that an archive or a broadcast with stream mode `manual` takes from a time on. */
export interface ChosenStreams {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Id of the archive or broadcast. */
  readonly id: string
  readonly streams: Choices
}

/** Wraps media so that every choice of streams is noted. */
export function noteStreams(media: Media, now: () => number, note: (chosen: ChosenStreams) => void): Media {
  const watched = <Taking extends Recorder | Broadcaster>(
    { id, streams }: { readonly id: string; readonly streams?: Choices | undefined },
    taking: Taking,
  ): Taking => {
    if (streams) note({ at: now(), id, streams })
    return {
      ...taking,
      setStreams(next: Choices) {
        note({ at: now(), id, streams: next })
        taking.setStreams(next)
      },
    }
  }
  return {
    ...media,
    startArchive: async (spec) => watched(spec, await media.startArchive(spec)),
    startIndividualArchive: async (spec) => watched(spec, await media.startIndividualArchive(spec)),
    startBroadcast: async (spec) => watched(spec, await media.startBroadcast(spec)),
  }
}
