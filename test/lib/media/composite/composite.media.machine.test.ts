import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { assembleComposite } from '../../../../lib/media/composite/assemble-composite.ts'
import { encodeCompositePiece, planCompositePieces } from '../../../../lib/media/composite/encode-composite-piece.ts'
import { mixAudio } from '../../../../lib/media/composite/mix-audio.ts'
import { type CompositePlan, planComposite } from '../../../../lib/media/composite/plan-composite.ts'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { type IndividualArchive, openIndividualArchive } from '../../../../lib/media/individual/individual-archive.ts'
import { inspectMp4 } from '../../../support/media/mp4.ts'
import { inMemory, lavfi, useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'
import { packArchive, webm } from '../individual/archives.ts'

const clips = useClips()
const SIZE = { width: 320, height: 180 }
const bytesOf = async (stream: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(stream))

/**
 * A participant: its colour above, white for the first tenth of each second, when it beeps; below, the number of its frame in
 * eight fields, black and white.
 */
const participant = (seconds: number, [cb, cr]: readonly [number, number], hertz: number, first = 0, size = 160) => [
  ...lavfi(
    `color=black:s=${size}x${(size * 3) / 4}:r=30:d=${seconds},format=yuv420p,geq=lum='if(lt(Y,H/2),` +
      `if(lt(mod(N,30),3),235,80),16+219*mod(floor((N+${first})/pow(2,floor(8*X/W))),2))'` +
      `:cb='if(lt(Y,H/4),${cb},128)':cr='if(lt(Y,H/4),${cr},128)'`,
  ),
  ...lavfi(`aevalsrc='0.5*sin(2*PI*${hertz}*t)*lt(mod(t,1),0.1)':s=48000:d=${seconds}`),
  ...webm,
]
const RED = [90, 210] as const
const GREEN = [60, 60] as const
const BLUE = [210, 110] as const

let archive: IndividualArchive
let source: ByteSource & { readonly bytesRead: number }
let plan: CompositePlan
let pieces: Buffer[]
let audio: Buffer
let path: string

/** Red is there from 0 to 4 s, green from 1.503 s on, with nothing sent in its second second and then a larger picture. */
beforeAll(async () => {
  const [red, one, two, blue] = await Promise.all([
    clips.make('red.webm', ...participant(4, RED, 500)),
    clips.make('green-1.webm', ...participant(1, GREEN, 1250)),
    clips.make('green-2.webm', ...participant(1, GREEN, 1250, 60, 240)),
    clips.make('blue.webm', ...participant(1, BLUE, 2500)),
  ])
  const list = join(clips.directory, 'green.txt')
  await writeFile(list, `file '${one}'\nduration 2\nfile '${two}'\n`)
  const joined = ['-c', 'copy', '-avoid_negative_ts', 'disabled', '-f', 'webm']
  const green = await clips.make('green.webm', '-f', 'concat', '-safe', '0', '-i', list, ...joined)
  source = countReads(
    inMemory(
      await packArchive([
        { streamId: 'red', path: red, start: 0, stop: 4 },
        { streamId: 'green', path: green, start: 1.503, stop: 4.503 },
        { streamId: 'blue', path: blue, start: 4, stop: 5, videoType: 'screen' },
      ]),
    ),
  )
  archive = await openIndividualArchive(source)
  plan = planComposite(archive, SIZE)
  const { ffmpegPath } = clips
  ;[audio, ...pieces] = await Promise.all([
    bytesOf(mixAudio(archive, plan, { ffmpegPath })),
    ...planCompositePieces(plan, 2).map((piece) => bytesOf(encodeCompositePiece(archive, plan, piece, { ffmpegPath }))),
  ])
  path = join(clips.directory, 'composite.mp4')
  await writeFile(path, await bytesOf(assembleComposite(pieces.map(inMemory), inMemory(audio), plan)))
})

const ALONE = { x: 40, y: 0, width: 240, height: 180 }
const LEFT = { x: 0, y: 30, width: 160, height: 120 }
const RIGHT = { x: 160, y: 30, width: 160, height: 120 }

describe('encodeCompositePiece, mixAudio and assembleComposite', () => {
  const pixel = (frame: Buffer, x: number, y: number) => {
    const chroma = SIZE.width * SIZE.height + Math.floor(y / 2) * (SIZE.width / 2) + Math.floor(x / 2)
    const quarter = (SIZE.width * SIZE.height) / 4
    return [frame[y * SIZE.width + x], frame[chroma], frame[chroma + quarter]] as [number, number, number]
  }
  let frames: Buffer[]
  beforeAll(async () => {
    const { frameTiming } = await readFfmpegBuild(clips.ffmpegPath)
    const raw = await runFfmpeg(clips.ffmpegPath, ['-i', path, frameTiming, 'passthrough', '-f', 'rawvideo', 'pipe:1'])
    const size = SIZE.width * SIZE.height * 1.5
    frames = Array.from({ length: raw.length / size }, (_, index) => raw.subarray(index * size, (index + 1) * size))
  })
  type Rect = typeof ALONE
  const colourIn = (frame: number, { x, y, width, height }: Rect) => {
    const [, cb, cr] = pixel(frames[frame] as Buffer, x + width / 2, y + Math.floor(height / 8))
    const near = ([u, v]: readonly [number, number]) => Math.hypot(cb - u, cr - v) < 25
    return near(RED) ? 'red' : near(GREEN) ? 'green' : near(BLUE) ? 'blue' : near([128, 128]) ? 'none' : 'other'
  }
  const isLit = (frame: number, { x, y, width, height }: Rect) =>
    pixel(frames[frame] as Buffer, x + width / 2, y + Math.floor(height / 3))[0] > 160
  const numberIn = (frame: number, { x, y, width, height }: Rect) =>
    Array.from({ length: 8 }, (_, bit) => {
      const [luma] = pixel(
        frames[frame] as Buffer,
        x + Math.floor(((bit + 0.5) * width) / 8),
        y + Math.floor(height * 0.75),
      )
      return luma > 126 ? 2 ** bit : 0
    }).reduce((sum, value) => sum + value, 0)

  it('have exactly 30 frames per second across pieces', async () => {
    expect(plan.frames).toBe(150)
    expect(pieces).toHaveLength(3)
    expect(frames).toHaveLength(150)
    const { video, audio, boxes } = await inspectMp4(path)
    expect(boxes).toEqual(['ftyp', 'moov', 'mdat'])
    expect(video).toMatchObject({ frames: 150, start: 0, ...SIZE })
    expect(video?.end).toBeCloseTo(5, 5)
    expect(audio?.end).toBeCloseTo(5, 1)
  })

  it('show each participant at its place while it is there, and not after', () => {
    const places = (frame: number) => ({
      alone: colourIn(frame, ALONE),
      left: colourIn(frame, LEFT),
      right: colourIn(frame, RIGHT),
    })
    expect(places(20)).toMatchObject({ alone: 'red' })
    expect(places(44)).toMatchObject({ alone: 'red' })
    for (const frame of [45, 59, 60, 100, 119]) expect(places(frame)).toMatchObject({ left: 'red', right: 'green' })
    // The screen takes three quarters of the width.
    const [screen, camera] = [
      { x: 0, y: 0, width: 240, height: 180 },
      { x: 240, y: 60, width: 80, height: 60 },
    ]
    for (const frame of [120, 134]) {
      expect(colourIn(frame, screen)).toBe('blue')
      expect(colourIn(frame, camera)).toBe('green')
    }
    for (const frame of [136, 149]) expect(colourIn(frame, ALONE)).toBe('blue')
    expect(colourIn(149, camera)).toBe('none')
  })

  it('show every frame at its time, also across pieces', () => {
    for (let frame = 0; frame < 120; frame++) {
      expect([frame, numberIn(frame, frame < 45 ? ALONE : LEFT)]).toEqual([frame, frame])
    }
  })

  it('hold a picture while its stream sends nothing, and continue at the right time in another size', () => {
    for (let frame = 45; frame < 120; frame++) {
      const own = frame - 45
      const shown = own < 30 ? own : own < 60 ? 29 : own
      expect([frame, numberIn(frame, RIGHT)]).toEqual([frame, shown])
    }
  })

  it('keep flash and beep of a participant within a frame of each other', async () => {
    const raw = await runFfmpeg(clips.ffmpegPath, ['-i', path, '-vn', '-ac', '1', '-f', 's16le', 'pipe:1'])
    const samples = new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))
    const flashes = (cell: Rect, from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => from + index)
        .filter((frame) => isLit(frame, cell) && (frame === from || !isLit(frame - 1, cell)))
        .map((frame) => frame / 30)
    const red = [...flashes(ALONE, 0, 45), ...flashes(LEFT, 45, 120)]
    const green = flashes(RIGHT, 45, 120)
    const beeps = { red: beepsAt(samples, 500), green: beepsAt(samples, 1250), blue: beepsAt(samples, 2500) }
    expect(red).toEqual([0, 1, 2, 3])
    expect(green).toEqual([1.5, 3.5])
    expect(beeps.red).toHaveLength(4)
    expect(beeps.green).toHaveLength(2)
    expect(beeps.blue).toHaveLength(1)
    const apart = [...red.map((at, n) => at - (beeps.red[n] ?? 9)), ...green.map((at, n) => at - (beeps.green[n] ?? 9))]
    for (const seconds of apart) expect(Math.abs(seconds)).toBeLessThan(1 / 30)
    expect(Math.abs((beeps.blue[0] ?? 9) - 4)).toBeLessThan(1 / 30)
  })

  it('give the same bytes each time', async () => {
    const { ffmpegPath } = clips
    const piece = planCompositePieces(plan, 2)[1] ?? { start: 0, end: 0 }
    expect(
      (await bytesOf(encodeCompositePiece(archive, plan, piece, { ffmpegPath }))).equals(pieces[1] as Buffer),
    ).toBe(true)
    expect((await bytesOf(mixAudio(archive, plan, { ffmpegPath }))).equals(audio)).toBe(true)
  })

  it('show a stream that begins after twelve hours as one at the start', async () => {
    const { ffmpegPath } = clips
    const later = 12 * 3600
    const streams = archive.streams.map((one) => ({ ...one, start: one.start + later, stop: one.stop + later }))
    const frames = { start: later * 30 + 60, end: later * 30 + 120 }
    const late = encodeCompositePiece(archive, planComposite({ ...archive, streams }, SIZE), frames, { ffmpegPath })
    expect((await bytesOf(late)).equals(pieces[1] as Buffer)).toBe(true)
  })

  it('pass errors of the source through, and stop when the caller stops', async () => {
    const { ffmpegPath } = clips
    const lost = new Error('connection reset')
    let isFailing = false
    const failing: ByteSource = {
      size: source.size,
      read: (start, end) => (isFailing ? Promise.reject(lost) : source.read(start, end)),
    }
    const opened = await openIndividualArchive(failing)
    isFailing = true
    await expect(bytesOf(mixAudio(opened, plan, { ffmpegPath }))).rejects.toBe(lost)
    await expect(bytesOf(encodeCompositePiece(opened, plan, { start: 0, end: 60 }, { ffmpegPath }))).rejects.toBe(lost)
    for await (const bytes of mixAudio(archive, plan, { ffmpegPath })) {
      expect(bytes.length).toBeGreaterThan(0)
      break
    }
  })

  it('refuse missing pieces and pieces that do not fit together', async () => {
    const [one, two] = pieces.map(inMemory)
    const join = (parts: (ByteSource | undefined)[]) =>
      bytesOf(
        assembleComposite(
          parts.flatMap((part) => part ?? []),
          null,
          plan,
        ),
      )
    await expect(join([one, two])).rejects.toThrow('The composite is incomplete: its pieces have 120 of 150 frames.')
    await expect(join([])).rejects.toThrow('has nothing to show')
    const other = { ...plan, width: 160, height: 90, pictures: [] }
    const small = await bytesOf(encodeCompositePiece(archive, other, { start: 0, end: 30 }, clips))
    await expect(join([one, two, inMemory(small)])).rejects.toThrow(
      'Piece 2 of the composite does not fit the first one',
    )
  })
})

/** Finds the seconds at which a tone begins: where a window of 20 ms first holds it, exact to a few milliseconds. */
function beepsAt(samples: Int16Array, hertz: number): number[] {
  const [window, step] = [960, 96]
  const onsets: number[] = []
  let isOn = false
  for (let start = 0; start + window <= samples.length; start += step) {
    let [real, imaginary] = [0, 0]
    for (let n = 0; n < window; n++) {
      const angle = (2 * Math.PI * hertz * n) / 48_000
      real += (samples[start + n] as number) * Math.cos(angle)
      imaginary += (samples[start + n] as number) * Math.sin(angle)
    }
    const isHeard = Math.hypot(real, imaginary) / window / 32_768 > 0.12
    if (isHeard && !isOn) onsets.push((start + window / 2) / 48_000)
    isOn = isHeard
  }
  return onsets
}
