import { z } from 'zod'
import { videoTypes } from '../../../lib/platform/contract/streams.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import { openSource, participantSource } from './participant-source.ts'
import type { NewStream } from './presence.ts'

/** A stream to publish, by any kind of participant. */
export const publication = z.object({
  name: z.string().max(255).default(''),
  audio: z.boolean().default(true),
  video: z.boolean().default(true),
  videoType: z.enum(videoTypes).default('camera'),
  source: participantSource,
})

/** Returns the requested stream with its opened source. @throws {@link Refusal} 400 */
export async function streamOf(
  media: Pick<Media, 'openFile'>,
  wanted: z.output<typeof publication>,
  layoutClasses: readonly string[],
): Promise<NewStream> {
  const { name, videoType, audio, video } = wanted
  if (!audio && !video) throw new Refusal(400, 'audio and video must not both be false: there is nothing to publish.')
  return { name, videoType, layoutClasses, ...(await openSource(media, wanted)) }
}
