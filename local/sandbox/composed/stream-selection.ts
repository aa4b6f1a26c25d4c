import type { z } from 'zod'
import type { streamChange } from '../../../lib/platform/contract/layouts.ts'
import { Refusal } from '../http/refusal.ts'
import type { StreamChoice } from '../media/media.ts'
import type { Store } from '../state/store.ts'

/**
 * Returns the chosen streams of an archive or a broadcast after a change. A stream that is added again keeps its place. A
 * stream that has ended stays chosen until it is removed.
 * @throws {@link Refusal} 405 in the stream mode `auto`; 404 for adding a stream that is not published, or removing one
 * that is not chosen
 */
export function changeChoices(
  store: Store,
  { sessionId, streams }: { sessionId: string; streams?: readonly StreamChoice[] | undefined },
  change: z.output<typeof streamChange>,
): readonly StreamChoice[] {
  if (!streams) throw new Refusal(405, 'Its streamMode is auto: only with manual are streams added and removed.')
  const { addStream, removeStream } = change
  if (addStream !== undefined) {
    if (store.streams.get(addStream)?.sessionId !== sessionId) throw new Refusal(404, 'Stream not found')
    const added = { streamId: addStream, hasAudio: change.hasAudio, hasVideo: change.hasVideo }
    const isThere = streams.some(({ streamId }) => streamId === addStream)
    return isThere ? streams.map((stream) => (stream.streamId === addStream ? added : stream)) : [...streams, added]
  }
  const rest = streams.filter(({ streamId }) => streamId !== removeStream)
  if (rest.length === streams.length) throw new Refusal(404, 'Stream not found: it is not among the chosen ones.')
  return rest
}

/** Returns chosen streams in the form of the wire. */
export const showChoices = (streams: readonly StreamChoice[]) => streams.map((stream) => ({ ...stream }))
