import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { cutClip } from '../../../../lib/media/clips/cut-clip.ts'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { readCellTimecode } from '../../../support/media/cells.ts'
import { useClips } from '../clips.ts'
import { decodeEveryFrame, decodeTimedAudio, packetData } from '../joining/decode-joined.ts'
import { type Part, publishedPart } from '../joining/published-part.ts'
import { recordStretches } from '../joining/rolled-over.ts'

const SIZE = { width: 320, height: 240 }
const encodings = {
  inOrder: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '60', '-pix_fmt', 'yuv420p'],
  reordered: ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-g', '60', '-pix_fmt', 'yuv420p'],
} as const
type Kind = keyof typeof encodings
/** Frames that are only decoded, behind the last one that is shown. */
const HIDDEN: Readonly<Record<Kind, number>> = { inOrder: 0, reordered: 3 }
const kinds = Object.keys(encodings) as Kind[]
const codeOf = (picture?: Picture) => (picture && readCellTimecode(picture, { x: 0, y: 0, ...SIZE })) ?? Number.NaN

const clips = useClips()
const parts: Partial<Record<Kind, Part>> = {}
let start: number
beforeAll(async () => {
  const stretches = kinds.map((kind) => ({ name: `${kind}.mp4`, from: 0, until: 480, encoding: encodings[kind] }))
  const paths = await recordStretches(clips, stretches, encodings.inOrder)
  for (const [index, path] of paths.entries())
    parts[kinds[index] as Kind] = await publishedPart(await clips.open(path), path)
  start = codeOf((await decodeEveryFrame(clips.ffmpegPath, paths[0] as string)).frames[0])
})

/** Cuts a clip and stores it as a file. */
async function cut(kind: Kind, from: number, to: number, tracks: ('video' | 'audio')[] = ['video', 'audio']) {
  const part = parts[kind] as Part
  const source = Object.fromEntries(tracks.map((track) => [track, part[track]]))
  const { content, encoded } = await cutClip(source, { from, to }, { ffmpegPath: clips.ffmpegPath })
  const path = join(clips.directory, `${kind}-${from}-${to}-${tracks.length}.mp4`)
  await writeFile(path, Buffer.concat(await Array.fromAsync(content())))
  return { path, encoded }
}
const shownIn = async (path: string) => {
  const { frames, times } = await decodeEveryFrame(clips.ffmpegPath, path)
  return { codes: frames.map((picture) => codeOf(picture) - start), times }
}
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, index) => from + index)

describe('cutClip', () => {
  it.each(kinds)('begins and ends at exact frames, %s', async (kind) => {
    const { path, encoded } = await cut(kind, 71 / 30, 317 / 30)
    const { codes, times } = await shownIn(path)
    expect(codes.slice(0, 246)).toEqual(range(71, 317))
    expect(codes.length - 246).toBeLessThanOrEqual(HIDDEN[kind])
    expect(times.every((time, index) => index > 245 || Math.abs(time - index / 30) < 0.001)).toBe(true)
    expect(encoded).toBe(120 - 71)
  })

  it.each(kinds)('plays without a warning, %s', async (kind) => {
    const { path } = await cut(kind, 71 / 30, 317 / 30)
    const args = ['-v', 'warning', '-nostdin', '-i', path, '-f', 'null', '-']
    expect((await promisify(execFile)(clips.ffmpegPath, args)).stderr).toBe('')
  })

  it('copies every frame behind the first keyframe', async () => {
    const { path } = await cut('inOrder', 71 / 30, 317 / 30)
    const whole = await packetData(clips.ffmpegPath, join(clips.directory, 'inOrder.mp4'))
    expect((await packetData(clips.ffmpegPath, path)).slice(49)).toEqual(whole.slice(120, 317))
  })

  it('encodes nothing where it begins at a keyframe, and everything within one GOP', async () => {
    const whole = await cut('inOrder', 4, 8)
    expect([whole.encoded, (await shownIn(whole.path)).codes]).toEqual([0, range(120, 240)])
    const within = await cut('reordered', 65 / 30, 80 / 30)
    expect([within.encoded, (await shownIn(within.path)).codes]).toEqual([15, range(65, 80)])
  })

  it('keeps the audio with its picture: a beep begins with each whole second', async () => {
    const { path } = await cut('inOrder', 71 / 30, 317 / 30)
    const beeps = beepOnsets(await decodeTimedAudio(clips.ffmpegPath, path), 0)
    const expected = range(3, 11).map((second) => second - 71 / 30)
    expect(beeps).toHaveLength(expected.length)
    for (const [index, at] of beeps.entries()) expect(Math.abs(at - (expected[index] ?? 0))).toBeLessThan(0.005)
  })

  it('shows the frame of a time between two frames from the start', async () => {
    const { path } = await cut('inOrder', 71.6 / 30, 100 / 30)
    const { codes, times } = await shownIn(path)
    expect(codes).toEqual(range(71, 100))
    expect(times[0]).toBe(0)
    expect(Math.abs((times[1] ?? 0) - 0.4 / 30)).toBeLessThan(0.001)
  })

  it('cuts one track alone, and ends with the recording', async () => {
    const { path } = await cut('inOrder', 14.5, 60, ['audio'])
    expect(
      beepOnsets(await decodeTimedAudio(clips.ffmpegPath, path), 0).map((at) => Math.round(at * 100) / 100),
    ).toEqual([0.5])
    const video = await cut('reordered', 15, 60, ['video'])
    expect((await shownIn(video.path)).codes.slice(0, 30)).toEqual(range(450, 480))
    await expect(cut('inOrder', 100, 110)).rejects.toMatchObject({ name: 'MediaError' })
  })
})
