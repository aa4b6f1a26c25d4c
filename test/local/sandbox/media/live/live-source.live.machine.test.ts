import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../../../../lib/clock.ts'
import { runFfmpeg } from '../../../../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createLiveSource } from '../../../../../local/sandbox/media/live/live-source.ts'
import type { FromSource } from '../../../../../local/sandbox/media/live/packets.ts'
import { frameAt } from '../../../../../local/sandbox/media/timebase.ts'

const FRAME_MS = 1000 / 30
const PAYLOAD = 1_100

/** Encodes a second of one colour as VP8, and returns its frames. */
async function encode(ffmpegPath: string, colour: string, size: string): Promise<Uint8Array[]> {
  const directory = await mkdtemp(join(tmpdir(), 'vp8-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'out.ivf')
  const input = ['-f', 'lavfi', '-i', `color=${colour}:s=${size}:r=30:d=1,noise=alls=20:allf=t`]
  await runFfmpeg(ffmpegPath, [...input, '-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '1M', path])
  const file = await readFile(path)
  const frames: Uint8Array[] = []
  for (let place = 32; place < file.length; ) {
    const end = place + 12 + file.readUInt32LE(place)
    frames.push(file.subarray(place + 12, end))
    place = end
  }
  return frames
}

it('VP8 is decoded while it is drawn, in each of its sizes, and is black 5 s after its last picture', async () => {
  const ffmpegPath = await findFfmpeg()
  const grey = await encode(ffmpegPath, 'gray', '320x240')
  const white = await encode(ffmpegPath, 'white', '640x360')
  const { port1: client, port2: packets } = new MessageChannel()
  const heard: FromSource[] = []
  client.on('message', (what: FromSource) => heard.push(what))
  const source = createLiveSource(ffmpegPath, { type: 'live', packets, videoCodec: 'VP8', width: 320, height: 240 })
  onTestFinished(async () => {
    await source.close?.()
  })

  let sequence = 65_530
  const send = (frame: Uint8Array, timestamp: number) => {
    for (let start = 0; start < frame.length; start += PAYLOAD) {
      const payload = Uint8Array.from([start === 0 ? 0x10 : 0, ...frame.subarray(start, start + PAYLOAD)])
      const marker = start + PAYLOAD >= frame.length
      const at = Date.now()
      client.postMessage({
        packet: { kind: 'video', sequence: sequence++ & 0xffff, timestamp, marker, payload, at },
      })
    }
  }
  /** What is drawn, in the order of its first appearance: the size and the brightness of a picture in steps of 32. */
  const seen: string[] = []
  const draw = () => {
    source.show(frameAt(Date.now()), { width: 640, height: 360 })
    const { picture, isResized } = source
    const { data } = picture.planes[0]
    const brightness = data.reduce((sum, value) => sum + value, 0) / data.length
    const now = `${source.width}x${source.height} ${Math.round(brightness / 32)}${isResized ? ' resized' : ''}`
    if (seen.at(-1) !== now) seen.push(now)
  }
  await realClock.sleep(200)
  expect(heard).toEqual([]) // it is not drawn yet

  draw()
  const frames = [...grey, ...grey, ...white, ...white]
  const begun = Date.now()
  for (const [index, frame] of frames.entries()) {
    await realClock.sleep(Math.max(0, begun + index * FRAME_MS - Date.now()))
    send(frame, (index * 90_000) / 30)
    draw()
  }
  const sentAt = Date.now()
  while (!seen.includes('640x360 1')) {
    await realClock.sleep(FRAME_MS)
    draw()
  }
  expect(Date.now() - sentAt).toBeGreaterThanOrEqual(5_000)
  expect(seen).toEqual(['320x240 1', '320x240 4', '640x360 7 resized', '640x360 7', '640x360 1'])
  expect(heard).toEqual(['start'])
  await expect.poll(() => heard).toEqual(['start', 'stop'])
})
