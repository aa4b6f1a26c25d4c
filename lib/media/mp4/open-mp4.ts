import { type Input, MP4 } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { blameFile, withInput } from '../media-input.ts'
import { requirePlausibleFragments } from './tables/plausible-fragments.ts'
import { readInBlocks } from './tables/table-reader.ts'
import { type MoovPosition, surveyBoxes } from './top-level-boxes.ts'

export interface OpenMp4 {
  readonly input: Input
  readonly moovPosition: MoovPosition
}

export interface ReadingOptions {
  /**
   * Fetches around the bytes wanted. It turns a hundred thousand neighbouring packets into a few reads, and makes mediabunny ten
   * times faster at them, since each read has a place in its cache.
   * @default false
   */
  readonly ahead?: boolean
}

/**
 * Opens an MP4 for the duration of `use`. By default nothing is read ahead.
 * @throws {@link MediaError} when the file is damaged; errors of the source pass through unchanged, so that they can be retried
 */
export const withMp4 = <T>(
  source: ByteSource,
  use: (mp4: OpenMp4) => Promise<T>,
  { ahead = false }: ReadingOptions = {},
): Promise<T> =>
  blameMp4(source, async (watched) => {
    const { moovPosition, boxes } = await surveyBoxes(watched)
    if (moovPosition === 'fragmented') await requirePlausibleFragments(readInBlocks(watched), boxes.at(-1)?.end ?? 0)
    return withInput({ source: watched, formats: [MP4], ahead }, (input) => use({ input, moovPosition }))
  })

/** Reads an MP4 as `blameFile` does. */
export const blameMp4 = <T>(source: ByteSource, use: (watched: ByteSource) => Promise<T>): Promise<T> =>
  blameFile(source, use, 'The MP4 is damaged or cut off: its index cannot be read.')
