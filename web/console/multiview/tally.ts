import type { ListedStream, Show } from '../answers.ts'
import { includedIn, outputsOf } from '../controls/control-state.ts'
import { drawLayout, placedStreams } from '../preview/next-layout.ts'

/** The mark of a stream that is in a picture: in one that is on air, or in the next one. */
export type Tally = 'program' | 'next' | undefined

/** Returns the ids of the streams that at least one output shows. */
export function streamsOnAir(show: Show, streams: readonly ListedStream[]): ReadonlySet<string> {
  const shown = outputsOf(show).flatMap((output) => {
    const included = placedStreams(includedIn(output, streams, show.timeline), new Map())
    return drawLayout(output.layout, included, output.size).places
  })
  return new Set(shown.filter(({ cell }) => cell.width > 0 && cell.height > 0).map(({ stream }) => stream.streamId))
}

/** Returns the tally of a stream. What is on air counts more. */
export const tallyOf = (id: string, onAir: ReadonlySet<string>, next: ReadonlySet<string> | undefined): Tally =>
  onAir.has(id) ? 'program' : next?.has(id) ? 'next' : undefined

/** Returns the layout classes that a user wrote, with spaces or commas between. */
export const readClasses = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]
