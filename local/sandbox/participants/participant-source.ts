import { z } from 'zod'
import { MediaError } from '../../../lib/media/media-error.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import type { NewStream } from './presence.ts'

/** Where a participant's picture and audio come from, as whoever joins asks for it: generated unless told otherwise. */
export const participantSource = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('pattern') }),
    z.object({ type: z.literal('file'), path: z.string().min(1) }),
  ])
  .default({ type: 'pattern' })

/**
 * Opens what a participant wants to publish; of a file, no more than it has.
 * @throws Refusal 400 in one sentence when it cannot be published
 */
export async function openSource(
  media: Pick<Media, 'openFile'>,
  wanted: { readonly source: z.output<typeof participantSource>; readonly audio: boolean; readonly video: boolean },
): Promise<Required<Pick<NewStream, 'source' | 'hasAudio' | 'hasVideo'>>> {
  const { source: asked, audio, video } = wanted
  if (asked.type === 'pattern') return { source: asked, hasAudio: audio, hasVideo: video }
  const source = await media.openFile(asked.path).catch((error) => {
    throw error instanceof MediaError ? new Refusal(400, `source.path: ${error.message}`) : error
  })
  const [hasAudio, hasVideo] = [audio && source.hasAudio, video && source.hasVideo]
  if (!hasAudio && !hasVideo) throw new Refusal(400, 'source.path: The file has nothing of what is to be published.')
  return { source, hasAudio, hasVideo }
}
