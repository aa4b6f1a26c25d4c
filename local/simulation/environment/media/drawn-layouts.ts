import type { Broadcaster, Media, Recorder } from '../../../sandbox/media/media.ts'

type Layout = Parameters<Recorder['setLayout']>[0]

/** A layout with which the platform began to draw an archive or a broadcast, or that it changed to. */
export interface DrawnLayout {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Id of the archive or broadcast. */
  readonly id: string
  readonly layout: Layout
}

/** Wraps media so that every layout which is drawn is noted. */
export function noteLayouts(media: Media, now: () => number, note: (drawn: DrawnLayout) => void): Media {
  const watched = <Drawing extends Recorder | Broadcaster>(
    { id, layout }: Pick<DrawnLayout, 'id' | 'layout'>,
    drawing: Drawing,
  ): Drawing => {
    note({ at: now(), id, layout })
    return {
      ...drawing,
      setLayout(next: Layout) {
        note({ at: now(), id, layout: next })
        drawing.setLayout(next)
      },
    }
  }
  return {
    ...media,
    startArchive: async (spec) => watched(spec, await media.startArchive(spec)),
    startBroadcast: async (spec) => watched(spec, await media.startBroadcast(spec)),
  }
}
