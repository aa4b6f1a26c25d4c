import { EncodedPacketSink } from 'mediabunny'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../../lib/media/byte-source.ts'
import { readFfmpegBuild } from '../../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { MediaError } from '../../../../../lib/media/media-error.ts'
import { withMp4 } from '../../../../../lib/media/mp4/open-mp4.ts'
import { withIndex } from '../../../../../lib/media/mp4/tables/with-tables.ts'
import { aac, h264, picture, tone, useClips } from '../../clips.ts'
import { countReads } from '../../count-reads.ts'

interface Packet {
  readonly time: number
  readonly size: number
  readonly isKey: boolean
  readonly bytes: Buffer
}

describe('withIndex', () => {
  const clips = useClips()
  const sources: Record<string, ByteSource> = {}
  beforeAll(async () => {
    const reordered = ['-c:v', 'libx264', '-preset', 'fast', '-threads', '1', '-bf', '3', '-g', '40']
    const make = async (name: string, ...args: string[]) => {
      sources[name] = await clips.open(await clips.make(`${name}.mp4`, ...args))
    }
    await make('plain', ...picture(3), ...tone(3), ...h264, ...aac)
    await make('reordered', ...picture(4), ...tone(4), ...reordered, ...aac, '-movflags', '+faststart')
    const { frameTiming } = await readFfmpegBuild(clips.ffmpegPath)
    await make('uneven', ...picture(3, ',setpts=PTS+random(1)*0.01/TB'), frameTiming, 'passthrough', ...h264)
    await make('late', '-itsoffset', '0.5', ...tone(3), ...picture(3), ...h264, ...aac)
    await make('keys', ...picture(1), ...h264, '-g', '1')
  })

  /** Reads the samples by our tables. */
  const listed = (source: ByteSource) =>
    withIndex(source, async (mp4) => {
      if (mp4.moovPosition === 'fragmented') throw new Error('It is not fragmented.')
      const tracks: Packet[][] = []
      for (const track of await mp4.input.getTracks()) {
        const table = await mp4.tableOf(track.id)
        if (!table) continue
        const { sizes, offsets } = await table.places(0, table.count)
        const times = table.shown(0, table.count)
        const packets = Array.from(times, async (time, n) => {
          const [size, offset] = [sizes[n] ?? 0, offsets[n] ?? 0]
          const bytes = Buffer.from(await source.read(offset, offset + size))
          return { time: time / table.timescale, size, isKey: !table.keys || table.keys.includes(n), bytes }
        })
        tracks.push(await Promise.all(packets))
      }
      return tracks
    })

  const found = (source: ByteSource) =>
    withMp4(source, async ({ input }) => {
      const tracks: Packet[][] = []
      for (const track of await input.getTracks()) {
        const packets: Packet[] = []
        const sink = new EncodedPacketSink(track as unknown as ConstructorParameters<typeof EncodedPacketSink>[0])
        for await (const { timestamp, byteLength, type, data } of sink.packets()) {
          packets.push({ time: timestamp, size: byteLength, isKey: type === 'key', bytes: Buffer.from(data) })
        }
        tracks.push(packets)
      }
      return tracks
    })

  it.each(['plain', 'reordered', 'uneven', 'late', 'keys'])(
    'lists the packets that mediabunny finds, and where they lie: %s',
    async (name) => {
      const source = sources[name] as ByteSource
      const packets = await listed(source)
      expect(packets.flat().length).toBeGreaterThan(25)
      expect(packets).toEqual(await found(source))
    },
  )

  it('reads of the tables of places only what is about the samples asked for', async () => {
    const whole = sources.plain as ByteSource
    const source = countReads(whole)
    await withIndex(source, async (mp4) => {
      const track = await mp4.input.getPrimaryVideoTrack()
      const table = mp4.moovPosition === 'fragmented' || !track ? undefined : await mp4.tableOf(track.id)
      const all = await table?.places(0, 90)
      const some = await table?.places(31, 47)
      expect(some?.sizes).toEqual(all?.sizes.slice(31, 47))
      expect(some?.offsets).toEqual(all?.offsets.slice(31, 47))
      const last = (all?.offsets[89] ?? 0) + (all?.sizes[89] ?? 0)
      expect(await table?.endInFile()).toBe(last)
    })
  })

  it('says of an index that is damaged anywhere that it is, and never anything else', async () => {
    const source = sources.reordered as ByteSource
    const bytes = Buffer.from(await source.read(0, source.size))
    const start = bytes.indexOf('moov') - 4
    const end = start + bytes.readUInt32BE(start)
    let damaged = 0
    for (let at = start + 8; at + 4 < end; at += 61) {
      const broken = Buffer.from(bytes)
      broken.writeUInt32BE(0xfffffff0, at)
      const outcome = await listed({ size: broken.length, read: async (from, to) => broken.subarray(from, to) }).catch(
        (error: unknown) => error,
      )
      if (!(outcome instanceof Error)) continue // not a problem of the file
      expect(outcome).toBeInstanceOf(MediaError)
      damaged += 1
    }
    expect(damaged).toBeGreaterThan(5)
  })
})
