import { CustomSource, Input, MP4 } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { requirePlausibleFragments } from './tables/plausible-fragments.ts'
import { readInBlocks } from './tables/table-reader.ts'
import { type MoovPosition, surveyBoxes } from './top-level-boxes.ts'

export interface OpenMp4 {
  readonly input: Input
  readonly moovPosition: MoovPosition
}

export interface ReadingOptions {
  /**
   * Whether reads cover what lies around the bytes wanted, by default not. It makes a hundred thousand neighbouring packets a
   * matter of a few reads, and mediabunny ten times quicker at them, since each read has a place in its cache.
   */
  readonly ahead?: boolean
}

/**
 * Opens an MP4 for the time of `use`, reading nothing ahead unless asked to.
 * What the source rejects with passes through unchanged, so that it can be retried; whatever else fails while the file is
 * read is the file's fault and becomes a MediaError.
 */
export const withMp4 = <T>(
  source: ByteSource,
  use: (mp4: OpenMp4) => Promise<T>,
  { ahead = false }: ReadingOptions = {},
): Promise<T> =>
  blamingFile(source, async (watched) => {
    const { moovPosition, boxes } = await surveyBoxes(watched)
    if (moovPosition === 'fragmented') await requirePlausibleFragments(readInBlocks(watched), boxes.at(-1)?.end ?? 0)
    const input = new Input({
      formats: [MP4],
      source: new CustomSource({
        getSize: () => watched.size,
        prefetchProfile: ahead ? 'fileSystem' : 'none',
        read: watched.read,
        handleUnhandledError: () => {}, // remembered as the source's failure
      }),
    })
    try {
      return await use({ input, moovPosition })
    } finally {
      input.dispose()
    }
  })

/** Reads a file; whatever fails and is not the source's failure is the file's fault and becomes a MediaError. */
export async function blamingFile<T>(source: ByteSource, use: (watched: ByteSource) => Promise<T>): Promise<T> {
  let sourceFailure: { readonly error: unknown } | undefined
  const watched: ByteSource = {
    size: source.size,
    async read(start, end) {
      try {
        const bytes = await source.read(start, end)
        if (bytes.length === end - start) return bytes
        throw new Error(`The source returned ${bytes.length} bytes for the range from ${start} to ${end}.`)
      } catch (error) {
        sourceFailure ??= { error }
        throw error
      }
    },
  }
  try {
    return await use(watched)
  } catch (error) {
    if (sourceFailure) throw sourceFailure.error
    if (error instanceof MediaError) throw error
    throw new MediaError('The MP4 is damaged or cut off: its index cannot be read.', { cause: error })
  }
}
