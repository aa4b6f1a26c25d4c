import type { Input } from 'mediabunny'
import type { ByteSource } from '../../byte-source.ts'
import { type Box, box, text, u32 } from '../boxes.ts'
import { blameMp4, type ReadingOptions, withMp4 } from '../open-mp4.ts'
import { type MoovPosition, surveyBoxes } from '../top-level-boxes.ts'
import { openTable, type SampleTable } from './open-table.ts'
import { divideIndex } from './table-boxes.ts'
import { readInBlocks } from './table-reader.ts'

/** An MP4 whose index is read by parts. */
export interface OpenIndex {
  /** The tracks without their packets. */
  readonly input: Input
  readonly moovPosition: Exclude<MoovPosition, 'fragmented'>
  /** Opens the packets of a track by its id; undefined without packets. */
  tableOf(trackId: number): Promise<SampleTable | undefined>
}

/** An MP4 whose index is spread over its fragments, where mediabunny finds the packets. */
export interface Fragmented {
  readonly input: Input
  readonly moovPosition: 'fragmented'
}

/**
 * Opens an MP4 for the duration of `use`. mediabunny creates an object for every packet of an index, which are millions
 * in half a day. Here it gets the index without its tables, which are read separately and as far as needed.
 * @param options for a file in fragments, which mediabunny reads
 * @throws as withMp4 does
 */
export const withIndex = <T>(
  source: ByteSource,
  use: (mp4: OpenIndex | Fragmented) => Promise<T>,
  options?: ReadingOptions,
): Promise<T> =>
  blameMp4(source, async (watched) => {
    const { moovPosition, boxes } = await surveyBoxes(watched)
    const moov = boxes.find(({ type }) => type === 'moov') as Box
    if (moovPosition === 'fragmented') {
      return withMp4(watched, ({ input }) => use({ input, moovPosition }), options)
    }
    const inBlocks = readInBlocks(watched)
    const { slim, tracks } = await divideIndex(inBlocks, moov)
    const head = Buffer.concat([FTYP, slim])
    const tableOf = async (trackId: number) => {
      const track = tracks.find(({ id }) => id === trackId)
      const table = track && (await openTable(inBlocks, track))
      return table && table.count > 0 ? table : undefined
    }
    return withMp4(inMemory(head), ({ input }) => use({ input, moovPosition, tableOf }))
  })

const FTYP = box('ftyp', text('isom'), u32(0), text('isom'))

const inMemory = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
})
