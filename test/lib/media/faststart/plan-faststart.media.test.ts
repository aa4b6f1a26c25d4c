import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CustomSource, EncodedPacketSink, Input, type InputTrack, MP4 } from 'mediabunny'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { planFaststart } from '../../../../lib/media/faststart/plan-faststart.ts'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { inspect } from '../../../../lib/media/inspect.ts'
import { aac, h264, inMemory, picture, tone, useClips } from '../clips.ts'
import { header, readPlan, syntheticFile } from './synthetic.ts'

const clips = useClips()
let movie: Buffer
beforeAll(async () => {
  movie = await readFile(await clips.make('movie.mp4', ...picture(4), ...tone(4), ...h264, '-bf', '2', ...aac))
})

async function copyOf(source: ByteSource): Promise<ByteSource> {
  const plan = await planFaststart(source)
  if (plan.kind !== 'assemble') throw new Error(`It is left alone: ${plan.reason}.`)
  return readPlan(source, plan.parts)
}

/** Every packet of every track: its times, whether it is a keyframe, and the SHA-256 of its bytes. */
async function packetsOf(source: ByteSource): Promise<string[][]> {
  const read = (start: number, end: number) => source.read(start, end)
  using input = new Input({ formats: [MP4], source: new CustomSource({ getSize: () => source.size, read }) })
  return await Promise.all((await input.getTracks()).map(packetsOfTrack))
}

async function packetsOfTrack(track: InputTrack): Promise<string[]> {
  const packets: string[] = []
  for await (const { timestamp, duration, type, data } of new EncodedPacketSink(track).packets())
    packets.push(`${timestamp} ${duration} ${type} ${createHash('sha256').update(data).digest('hex')}`)
  return packets
}

/** The movie with so many bytes between its head and its media. */
function stretched(gap: number): ByteSource {
  const media = movie.indexOf('mdat') - 4
  const index = movie.indexOf('moov') - 4
  const moved = Buffer.from(movie.subarray(index))
  const free = header('free', gap)
  for (let at = moved.indexOf('stco'); at >= 0; at = moved.indexOf('stco', at + 4)) {
    for (let n = 0; n < moved.readUInt32BE(at + 8); n++) {
      const entry = at + 12 + 4 * n
      moved.writeUInt32BE(moved.readUInt32BE(entry) + free.length + gap, entry)
    }
  }
  return syntheticFile([movie.subarray(0, media), free, gap, movie.subarray(media, index), moved])
}

describe('planFaststart', () => {
  it('plans a copy with the same packets and its index in front', async () => {
    const source = inMemory(movie)
    const copy = await copyOf(source)
    const packets = await packetsOf(source)
    expect(packets.map(({ length }) => length)).toEqual([120, expect.any(Number)])
    expect(await packetsOf(copy)).toEqual(packets)
    const { moovPosition, ...facts } = await inspect(copy)
    expect(moovPosition).toBe('front')
    expect(await inspect(source)).toMatchObject({ ...facts, moovPosition: 'end' })
  })

  it('plans a copy with the same packets where offsets need 64 bits behind the index', async () => {
    const source = stretched(2 ** 32 - 8 - movie.indexOf('moov'))
    const copy = await copyOf(source)
    expect(copy.size).toBeGreaterThan(source.size)
    expect(await packetsOf(copy)).toEqual(await packetsOf(source))
  })

  it('plans a copy that plays without seeking', async () => {
    const copy = await copyOf(inMemory(movie))
    const path = join(clips.directory, 'copy.mp4')
    await writeFile(path, await copy.read(0, copy.size))
    const decode = (input: string, from: Buffer[] = []) =>
      runFfmpeg(clips.ffmpegPath, ['-xerror', '-i', input, '-f', 'framemd5', 'pipe:1'], from)
    const played = (await decode(path)).toString()
    expect(played).toBe((await decode(join(clips.directory, 'movie.mp4'))).toString())
    expect((await decode('pipe:0', [await readFile(path)])).toString()).toBe(played)
  })

  it('plans no copy of a faststart or fragmented file of ffmpeg', async () => {
    const made = (name: string, flags: string) =>
      clips.make(name, '-i', join(clips.directory, 'movie.mp4'), '-c', 'copy', '-movflags', flags)
    const front = await clips.open(await made('front.mp4', '+faststart'))
    expect(await planFaststart(front)).toEqual({ kind: 'as is', reason: 'front' })
    const fragmented = await clips.open(await made('fragmented.mp4', '+frag_keyframe+empty_moov'))
    expect(await planFaststart(fragmented)).toEqual({ kind: 'as is', reason: 'fragmented' })
  })
})
