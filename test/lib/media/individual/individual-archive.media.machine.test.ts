import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { openIndividualArchive } from '../../../../lib/media/individual/individual-archive.ts'
import { inMemory, picture, tone, useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'
import { packZip } from '../zip/packed.ts'
import { packArchive, webm } from './archives.ts'

const clips = useClips()
const made = new Map<string, Promise<string>>()
const once = (name: string, ...args: string[]) => {
  const path = made.get(name) ?? clips.make(name, ...args)
  made.set(name, path)
  return path
}
const both = () => once('both.webm', ...picture(2, ',noise=alls=40:allf=t'), ...tone(2), ...webm)
const audio = () => once('audio.webm', ...tone(1), ...webm)

describe('openIndividualArchive', () => {
  it('lists each stream with its times and tracks', async () => {
    const archive = await openIndividualArchive(
      inMemory(
        await packArchive([
          { streamId: 'late', path: await audio(), start: 1.5, stop: 2.5 },
          { streamId: 'early', path: await both(), start: 0, stop: 2, videoType: 'screen' },
        ]),
      ),
    )
    expect(archive).toMatchObject({ duration: 2.5, problems: [] })
    expect(archive.streams).toMatchObject([
      {
        streamId: 'early',
        file: 'early.webm',
        start: 0,
        stop: 2,
        videoType: 'screen',
        video: { codec: 'vp8', width: 320, height: 240 },
        duration: expect.closeTo(2, 1),
      },
      {
        streamId: 'late',
        file: 'late.webm',
        start: 1.5,
        stop: 2.5,
        videoType: 'camera',
        video: null,
        audio: { codec: 'opus', channels: 1 },
      },
    ])
  })

  it('reads the directory, the manifest, and the two ends of each file', async () => {
    const path = await clips.make('long.webm', '-stream_loop', '29', '-i', await both(), '-c', 'copy', '-f', 'webm')
    const counted = countReads(inMemory(await packArchive([{ streamId: 'a', path, start: 0, stop: 60 }])))
    const { streams } = await openIndividualArchive(counted)
    expect(Math.abs((streams[0]?.duration ?? 0) - 60)).toBeLessThan(1) // how a loop adds up is up to the ffmpeg that wrote it
    expect(counted.size).toBeGreaterThan(2_000_000)
    expect(counted.bytesRead).toBeLessThan(300_000)
    expect(counted.reads).toBeLessThan(15)
  })

  it('names each file that is missing, empty, truncated, not as listed or not media, and keeps the rest', async () => {
    const whole = await readFile(await both())
    const put = async (name: string, bytes: Uint8Array | string) => {
      await writeFile(join(clips.directory, name), bytes)
      return { streamId: name, path: join(clips.directory, name), start: 0, stop: 2 }
    }
    const streams = [
      await put('good', whole),
      await put('empty', ''),
      await put('cut', whole.subarray(0, -1000)),
      await put('text', 'just a text'),
      { ...(await put('long', whole)), stop: 9 },
      { ...(await put('ghost', '')), isLost: true },
    ]
    const zip = await packArchive(streams, [{ name: 'stray.webm', bytes: 'stray' }])
    const { streams: usable, problems } = await openIndividualArchive(inMemory(zip))
    expect(usable.map(({ streamId }) => streamId)).toEqual(['good', 'cut', 'long'])
    expect(usable[1]?.duration).toBeNull()
    expect(problems).toEqual([
      'empty.webm is empty: it has zero bytes.',
      'cut.webm is cut off: 1000 of its bytes are missing.',
      'text.webm is not a WebM or Matroska file, or is damaged.',
      expect.stringMatching(/^long.webm lasts 2.0 s, the manifest says 9.0 s\.$/),
      'ghost.webm is in the manifest and not in the zip.',
      'stray.webm is in the zip and not in its manifest.',
    ])
  })

  it('refuses a zip without a valid manifest', async () => {
    const open = (bytes: string) => openIndividualArchive(inMemory(packZip([{ name: 'a.json', bytes }])))
    await expect(openIndividualArchive(inMemory(packZip([])))).rejects.toThrow('it has 0 manifests (.json), not one.')
    await expect(open('{')).rejects.toThrow('The archive’s manifest is damaged: it is not JSON.')
    await expect(open('{}')).rejects.toThrow('files: Invalid input: expected array, received undefined.')
    await expect(
      open('{"files":[{"filename":"a","streamId":"a","size":1,"startTimeOffset":"0","stopTimeOffset":1}]}'),
    ).rejects.toThrow('files[0].startTimeOffset: Invalid input: expected number, received string.')
  })

  it('passes errors of the source through', async () => {
    const zip = inMemory(await packArchive([{ streamId: 'a', path: await both(), start: 0, stop: 2 }]))
    const lost = new Error('connection reset')
    const failing: ByteSource = { size: zip.size, read: (a, b) => (a < 1000 ? Promise.reject(lost) : zip.read(a, b)) }
    await expect(openIndividualArchive(failing)).rejects.toBe(lost)
  })
})
