import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { runFfmpeg } from '../../../../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { pythonWith } from '../../../../support/python.ts'
import { openDoors } from '../open-doors.ts'
import { publishByFfmpeg } from '../publish-by-ffmpeg.ts'

const [WIDTH, HEIGHT, RATE] = [320, 240, 15]
const PICTURE = (WIDTH * HEIGHT * 3) / 2
const BITS = 10
const CELL = WIDTH / BITS
/** Pictures that aiortc decodes: three seconds. */
const COUNT = 45

/** A moving picture that shows its number in binary, in cells along the lower edge. */
const NUMBERED = [
  `testsrc2=s=${WIDTH}x${HEIGHT}:r=${RATE}`,
  `drawbox=x=0:y=${HEIGHT - CELL}:w=${WIDTH}:h=${CELL}:color=black:t=fill`,
  ...Array.from(
    { length: BITS },
    (_, bit) =>
      `drawbox=x=${bit * CELL}:y=${HEIGHT - CELL}:w=${CELL}:h=${CELL}:color=white:t=fill:enable='gte(mod(n,${2 ** (bit + 1)}),${2 ** bit})'`,
  ),
].join()

/** Returns the number that a picture shows. */
function numberOf(picture: Buffer): number {
  const at = (x: number) => picture[(HEIGHT - CELL / 2) * WIDTH + x] ?? 0
  return Array.from({ length: BITS }, (_, bit) => (at((bit + 0.5) * CELL) > 128 ? 2 ** bit : 0)).reduce((a, b) => a + b)
}

const picturesIn = (bytes: Buffer) =>
  Array.from({ length: Math.floor(bytes.length / PICTURE) }, (_, index) =>
    bytes.subarray(index * PICTURE, (index + 1) * PICTURE),
  )

/** Returns the mean difference of the brightness of two pictures. */
function differenceOf(one: Buffer, other: Buffer): number {
  let sum = 0
  for (let at = 0; at < WIDTH * HEIGHT; at++) sum += Math.abs((one[at] as number) - (other[at] as number))
  return sum / (WIDTH * HEIGHT)
}

/** Returns the pictures as they were before they were encoded, from one of them on. */
async function published(first: number): Promise<Buffer[]> {
  const range = ['-vf', `select=gte(n\\,${first})`, '-frames:v', String(COUNT), '-pix_fmt', 'yuv420p']
  const source = ['-f', 'lavfi', '-i', NUMBERED, ...range, '-f', 'rawvideo', 'pipe:1']
  return picturesIn(await runFfmpeg(await findFfmpeg(), source))
}

it('aiortc decodes by WHEP the pictures and the tone that ffmpeg publishes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aiortc-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const python = join(await pythonWith('aiortc==1.16.0'), 'python')
  const { door, clientToken, watch } = await openDoors()
  const moderator = await watch()
  await publishByFfmpeg(door('whip'), await clientToken(), { video: NUMBERED })
  const { stream } = await moderator.event('streamCreated')

  const [picturesPath, audioPath] = [join(folder, 'pictures'), join(folder, 'audio')]
  const token = await clientToken({ role: 'subscriber' })
  const script = join(import.meta.dirname, 'subscribe.py')
  const address = door('whep', { stream: stream.id })
  await promisify(execFile)(python, [script, address, token, String(COUNT), picturesPath, audioPath])

  const received = picturesIn(await readFile(picturesPath))
  const numbers = received.map(numberOf)
  const [first = 0] = numbers
  expect(numbers).toEqual(Array.from({ length: COUNT }, (_, index) => first + index))
  const sources = await published(first)
  for (const [index, picture] of received.entries())
    expect(differenceOf(picture, sources[index] as Buffer)).toBeLessThan(6)

  const bytes = await readFile(audioPath)
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2)).slice(-48_000)
  const crossings = samples.filter((sample, index) => sample >= 0 && (samples[index - 1] ?? 0) < 0).length
  expect(crossings).toBeGreaterThan(430)
  expect(crossings).toBeLessThan(450)
})
