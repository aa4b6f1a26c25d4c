import { z } from 'zod'
import { individualWith } from '../../platform/contract/archives.ts'
import { neitherTrack } from '../../platform/contract/layouts.ts'
import { limits } from '../../platform/contract/limits.ts'
import { never } from '../../platform/contract/schema-rules.ts'
import { always, orderName } from './fields/order-names.ts'
import { MAX_PAUSES, pauseOrder } from './fields/pauses.ts'
import { picture } from './picture.ts'
import { recordingPublishing } from './publishing.ts'

export const recordingOrder = z
  .strictObject({
    name: orderName,
    outputMode: z
      .enum(['composed', 'individual'])
      .default('composed')
      .describe('composed makes one picture of all streams, individual keeps one file per stream, in archive.zip.'),
    ...picture,
    hasAudio: z.boolean().default(true).describe('Whether it has audio.'),
    hasVideo: z.boolean().default(true).describe('Whether it has video.'),
    parts: z
      .boolean()
      .default(true)
      .describe(
        `Continues in another part, which starts before the last one ends: the platform stops an archive after ${limits.archiveDuration.value} s. Must be true in a longer show.`,
      ),
    pauses: z
      .array(pauseOrder)
      .max(MAX_PAUSES)
      .optional()
      .describe(
        `Planned gaps, up to ${MAX_PAUSES}, the earliest first. Nothing is recorded in them. The parts before and after are joined without the gap, with a chapter where the recording resumes. Only with parts, and not with streamMode manual.`,
      ),
    publish: recordingPublishing.optional().describe('Fields of the show’s publish that differ for this recording.'),
  })
  .superRefine(({ hasAudio, hasVideo, outputMode, resolution, layout }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (hasAudio === false && hasVideo === false)
      context.addIssue({ code: 'custom', message: 'hasAudio and hasVideo must not both be false' })
    if (outputMode === 'individual' && resolution !== undefined) refuse('resolution', 'is only for outputMode composed')
    if (outputMode === 'individual' && layout !== undefined) refuse('layout', 'is only for outputMode composed')
  }, always)
  .meta(never(neitherTrack, individualWith('resolution'), individualWith('layout')))

export type RecordingOrder = z.output<typeof recordingOrder>
