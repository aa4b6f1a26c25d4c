import { describe, expect, it } from 'vitest'
import { copyAudio, writeM4aHead } from '../../../lib/media/audio/copy-audio.ts'
import { planPieces } from '../../../lib/media/hls/pieces.ts'
import { openIndividualArchive } from '../../../lib/media/individual/individual-archive.ts'
import { inspect } from '../../../lib/media/inspect.ts'
import { box, fullBox, text, u16, u32 } from '../../../lib/media/mp4/boxes.ts'
import { createPacketTable } from '../../../lib/media/mp4/packet-table.ts'
import { makePoster } from '../../../lib/media/pictures/poster.ts'
import { inMemory } from '../../support/media/publish-all.ts'
import { countReads } from './count-reads.ts'
import { packZip } from './zip/packed.ts'

/** Each test ends at once, or else takes minutes and a gigabyte of memory. */

const AVCC = Buffer.from('0142c00affe1000467420000010004680000ff', 'hex')
const picture = box(
  'avc1',
  ...[
    u16(0, 0, 0, 1),
    Buffer.alloc(16),
    u16(160, 120),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
  ],
  box('avcC', AVCC),
)

/** A file of one track of pictures, with tables as they are given. */
function pictures(tables: readonly Buffer[], behind: Buffer = Buffer.alloc(0)): Buffer {
  const header = [u32(0, 0), u32(1, 0), u32(0), u32(0, 0), u16(0, 0, 0, 0), Buffer.alloc(36), u32(160 << 16, 120 << 16)]
  const media = box(
    'minf',
    fullBox('vmhd', 0, 1, u32(0, 0)),
    box('stbl', fullBox('stsd', 0, 0, u32(1), picture), ...tables),
  )
  const track = box(
    'trak',
    fullBox('tkhd', 0, 3, ...header),
    box(
      'mdia',
      fullBox('mdhd', 0, 0, u32(0, 0, 30, 0, 0)),
      fullBox('hdlr', 0, 0, u32(0), text('vide'), u32(0, 0, 0, 0)),
      media,
    ),
  )
  const movie = fullBox('mvhd', 0, 0, u32(0, 0, 1000, 0), Buffer.alloc(80))
  const more = behind.length > 0 ? [box('mvex', fullBox('trex', 0, 0, u32(1, 1, 1, 1, 0)))] : []
  return Buffer.concat([
    box('ftyp', text('isom'), u32(0)),
    box('moov', movie, track, ...more),
    behind,
    box('mdat', u32(0)),
  ])
}

const MILLIONS = 20_000_000
/** Twenty million pictures of one byte, each in a separate chunk. */
const claiming = (sizes: Buffer, chunks: Buffer, count: number) =>
  pictures([fullBox('stts', 0, 0, u32(1, count, 1)), sizes, fullBox('stsc', 0, 0, u32(1, 1, 1, 1)), chunks])
const table = (type: string, ...content: number[]) => fullBox(type, 0, 0, u32(...content))

describe('a small file that claims', () => {
  it.each([
    [
      'millions of packets',
      claiming(table('stsz', 1, MILLIONS), table('stco', MILLIONS, 0), MILLIONS),
      /20000000 packets .* no room/,
    ],
    [
      'packets of one size',
      claiming(table('stsz', 1, 5_000_000), table('stco', 1, 0), 5_000_000),
      /5000000 packets .* no room/,
    ],
    ['packets of many sizes', claiming(table('stsz', 0, 5_000_000, 1), table('stco', 1, 0), 5_000_000), /no room/],
    [
      'more chunks than it lists',
      claiming(table('stsz', 1, 500), table('stco', 4_000_000, 0), 500),
      /stco box that is shorter/,
    ],
    ['packets in chunks that it lacks', claiming(table('stsz', 1, 500), table('stco', 1, 0), 500), /in no chunk/],
    [
      'packets larger than itself',
      claiming(table('stsz', 0, 2, 2 ** 20, 2 ** 20), table('stco', 2, 0, 0), 2),
      /far larger than the file/,
    ],
  ])('%s is refused before memory is taken for them', async (_, bytes, message) => {
    expect(bytes.length).toBeLessThan(2_000)
    const failure = await makePoster({ ffmpegPath: '/nowhere/ffmpeg', source: inMemory(bytes) }).catch((error) => error)
    expect(failure).toMatchObject({ name: 'MediaError', message: expect.stringMatching(message) })
  })

  it('thousands of millions of packets in a fragment is refused before memory is taken for them', async () => {
    const runs = box('traf', fullBox('tfhd', 0, 0, u32(1)), fullBox('tfdt', 0, 0, u32(0)), table('trun', 2 ** 32 - 1))
    const bytes = pictures([], box('moof', table('mfhd', 1), runs))
    for (const read of [
      inspect,
      planPieces,
      (source: typeof inspect extends (s: infer S) => unknown ? S : never) => copyAudio(source).next(),
    ])
      await expect(read(inMemory(bytes))).rejects.toThrow(
        /fragments claim 4294967295 packets, for which there is no room/,
      )
  })

  it('a month of audio is not divided into thousands of pieces', async () => {
    const packets = createPacketTable()
    for (let hour = 0; hour < 720; hour++) packets.add(10, 3_600 * 48_000)
    const configuration = Buffer.from([0x11, 0x88])
    const head = writeM4aHead({ sampleRate: 48_000, channels: 1, configuration, timescale: 48_000, start: 0, packets })
    const bytes = Buffer.concat([head, Buffer.alloc(7_200)])
    expect(bytes.length).toBeLessThan(12_000)
    await expect(planPieces(inMemory(bytes))).rejects.toMatchObject({
      name: 'MediaError',
      message: 'The recording lasts 720 h by its timestamps: up to 24 h are published.',
    })
  })
})

describe('an archive whose manifest', () => {
  const entry = { filename: 'one.webm', streamId: 'one', size: 4, startTimeOffset: 0, stopTimeOffset: 1000 }
  const open = (files: readonly object[]) => {
    const manifest = {
      name: 'archive.json',
      bytes: JSON.stringify({ id: 'archive', createdAt: 0, files }),
    }
    return countReads(inMemory(packZip([{ name: 'one.webm', bytes: 'webm' }, manifest])))
  }

  it.each([
    ['names one file repeatedly', Array(9_000).fill(entry), /files: the same file is listed twice/],
    [
      'names more files than a zip may have',
      Array(20_000).fill(entry),
      /files: Too big: expected array to have <=10000 items/,
    ],
    ['lasts a month', [{ ...entry, stopTimeOffset: 720 * 3_600_000 }], /The archive lasts 720 h by its timestamps/],
  ])('%s is refused before its files are read', async (_, files, message) => {
    const source = open(files)
    await expect(openIndividualArchive(source)).rejects.toMatchObject({
      name: 'MediaError',
      message: expect.stringMatching(message),
    })
    expect(source.reads).toBeLessThan(5)
  })
})
