import { z } from 'zod'
import { MediaError } from '../../../lib/media/media-error.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import type { NewStream } from './presence.ts'

/** The source of a participant that is given none. */
export const GENERATED = { type: 'pattern' } as const

/** Source of a participant's video and audio. @default a generated pattern */
export const participantSource = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('pattern') }),
    z.object({ type: z.literal('file'), path: z.string().min(1) }),
  ])
  .default(GENERATED)

/**
 * Opens the source of a stream. A file's stream has only the tracks that the file has.
 * @throws {@link Refusal} 400 for a file that cannot be published
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
  if (!hasAudio && !hasVideo) throw new Refusal(400, 'source.path: The file has none of the tracks to publish.')
  return { source, hasAudio, hasVideo }
}
