import { z } from 'zod'
import { videoTypes } from '../../../lib/platform/contract/streams.ts'
import type { NewStream } from '../attendance.ts'
import { refuseNotYet } from '../not-yet.ts'
import { participantSource } from '../participant-source.ts'
import { Refusal } from '../refusal.ts'

/** What a participant publishes, however they have joined. */
export const publication = z.object({
  name: z.string().max(255).default(''),
  audio: z.boolean().default(true),
  video: z.boolean().default(true),
  videoType: z.enum(videoTypes).default('camera'),
  source: participantSource,
})

/** The stream that is asked for. @throws Refusal 400 */
export async function streamOf(
  wanted: z.output<typeof publication>,
  layoutClasses: readonly string[],
): Promise<NewStream> {
  const { name, videoType, audio: hasAudio, video: hasVideo, source } = wanted
  if (source.type === 'file') refuseNotYet('fileSources')
  if (!hasAudio && !hasVideo)
    throw new Refusal(400, 'audio and video must not both be false: there is nothing to publish.')
  return { name, videoType, hasAudio, hasVideo, layoutClasses }
}
