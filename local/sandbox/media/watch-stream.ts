import { MediaError } from '../../../lib/media/media-error.ts'
import type { OutputStarter } from './engine/running-output.ts'
import { decodedSize } from './live/video-decoder.ts'
import type { Viewer, WatchedStream, Watching } from './media.ts'

/**
 * Starts an output of one stream alone that is encoded for clients.
 * @throws {@link MediaError} for a stream without tracks
 */
export async function watchStream(
  engine: OutputStarter,
  { sessionId, streamId, hasAudio, hasVideo, width, height }: WatchedStream,
  { onUnit, onFailure }: Viewer,
): Promise<Watching> {
  if (!hasAudio && !hasVideo) throw new MediaError(`The stream ${streamId} has neither audio nor video.`)
  const streams = [{ streamId, hasAudio, hasVideo }]
  const layout = { type: 'bestFit' } as const
  const size = decodedSize({ width, height })
  const output = await engine.startOutput(
    { id: `stream ${streamId}`, sessionId, streams, layout, ...size, hasAudio, hasVideo, target: { type: 'live' } },
    { onUnit },
  )
  output.onFailure(onFailure)
  return { stop: output.discard }
}
