import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LIVE_AUDIO } from '../../../../lib/media/hls/live/live-multivariant.ts'
import type { LivePart } from '../../../../lib/media/hls/live/live-segment.ts'
import type { BroadcastTarget } from '../encoding/broadcast-target.ts'
import { SAMPLES_PER_SECOND } from '../timebase.ts'
import { packageLive } from './packager.ts'

/** A part of a broadcast that is in its file. */
export interface PackagedPart extends LivePart {
  /** Rendition of the ladder. Absent for parts with video and audio, which every broadcast with HLS has. */
  readonly rendition?: string | undefined
}

/** Encoded fragments of a broadcast. */
interface EncodedFragments {
  readonly fragments?: AsyncIterable<Buffer> | undefined
  readonly renditions: readonly { readonly name: string; readonly fragments: AsyncIterable<Buffer> }[]
}

/** Milliseconds by which an AAC encoder begins before the first sample. */
const AUDIO_LEAD = (1000 * 1024) / SAMPLES_PER_SECOND

/**
 * Packages a broadcast, and each rendition of its ladder in its own folder. Resolves at the end of the encoding.
 * @throws Error when a file cannot be written
 */
export async function packageBroadcast(
  { fragments, renditions }: EncodedFragments,
  { directory, startTime }: NonNullable<BroadcastTarget['hls']>,
  onPart: (part: PackagedPart) => void,
): Promise<void> {
  await Promise.all([
    ...(fragments ? [packageLive(fragments, { directory, startTime, onPart })] : []),
    ...renditions.map(async (rendition) => {
      const folder = join(directory, rendition.name)
      await mkdir(folder, { recursive: true })
      await packageLive(rendition.fragments, {
        directory: folder,
        startTime: rendition.name === LIVE_AUDIO ? startTime - AUDIO_LEAD : startTime,
        onPart: (part) => onPart({ ...part, rendition: rendition.name }),
      })
    }),
  ])
}
