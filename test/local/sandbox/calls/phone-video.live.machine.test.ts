import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import type { Colour, Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { createSelfSignedCertificate } from '../../../support/certificates.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { startSipProxy } from '../../../support/sip/proxy.ts'
import { openPhoneRoom, PATIENCE } from './open-phone-room.ts'

const SIZE = { width: 640, height: 480 }
/** Halves of what the phone sends, and what an archive without video shows. */
const RED: Colour = { y: 81, u: 90, v: 240 }
const BLUE: Colour = { y: 41, u: 240, v: 110 }
const BLACK: Colour = { y: 16, u: 128, v: 128 }

/** Opens a room whose phones send a picture that is red on the left and blue on the right. */
async function openVideoRoom(options: Parameters<typeof openPhoneRoom>[0] = {}) {
  const room = await openPhoneRoom(options)
  const { ffmpegPath, directory, sessionId, call, send, fileOf } = room
  const path = join(directory, 'picture.mp4')
  const half = (colour: string) => ['-f', 'lavfi', '-i', `color=${colour}:size=320x360:rate=25:duration=60`]
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25']
  await promisify(execFile)(ffmpegPath, [
    ...half('red'),
    ...half('blue'),
    '-filter_complex',
    'hstack',
    ...encoding,
    path,
  ])

  /** Records a second. */
  async function record(): Promise<Picture[]> {
    const { body } = await call('startArchive', { sessionId })
    await realClock.sleep(1_000)
    return decodePictures(ffmpegPath, await fileOf(body.id), SIZE)
  }
  return {
    ...room,
    path,
    record,
    /** Records until the last picture is as expected. */
    recordUntil: (check: (last: Picture) => void) =>
      vi.waitFor(async () => check((await record()).at(-1) as Picture), PATIENCE),
    /** Returns what Insights measure of the phone's video. */
    async measured() {
      const { body } = await send('GET', `/sandbox/sessions/${sessionId}/measurements`)
      return body.items.map(({ video, videoResolution }: Record<string, unknown>) => ({ video, videoResolution }))
    },
    [Symbol.asyncDispose]: room[Symbol.asyncDispose],
  }
}

const cases = [
  { codec: 'any', sends: 'H264', secure: false, isRelayed: false },
  { codec: 'vp8', sends: 'VP8', secure: true, isRelayed: true },
] as const
const certificate = createSelfSignedCertificate()

describe('the video of a phone', () => {
  it.concurrent.for(cases)('is in archives, except while the call is on hold: %o', async (each, { onTestFinished }) => {
    const { codec, sends, secure, isRelayed } = each
    const proxy = isRelayed ? await startSipProxy(certificate) : undefined
    onTestFinished(async () => proxy?.close())
    await using room = await openVideoRoom(proxy && { sip: { outboundProxy: proxy.uri, ca: certificate.cert } })
    const phone = await room.openPhone({ secure, video: { codec, path: room.path } })
    const called = await room.dial(phone, { video: true, secure })
    await called.until('ACTIVE')
    await room.recordUntil(expectPhone)
    expect(await room.measured()).toEqual([
      { video: expect.objectContaining({ codec: sends }), videoResolution: '640x360' },
    ])
    expect(await called.read()).toMatchObject({ video: true, sees: [] })
    await phone.run('hold')
    await called.until('ON_HOLD')
    await room.recordUntil(expectNobody)
    await phone.run('resume')
    await called.until('ACTIVE')
    await room.recordUntil(expectPhone)
  })

  it.concurrent.each([false, true])('is absent unless both sides want it, asked for: %s', async (video) => {
    await using room = await openVideoRoom()
    const phone = await room.openPhone(video ? {} : { video: { codec: 'any', path: room.path } })
    const called = await room.dial(phone, { video })
    await called.until('ACTIVE')
    await vi.waitFor(async () => expect(await room.measured()).toEqual([{}]), PATIENCE)
    await room.join(room.sessionId, { name: 'Ada' })
    await room.recordUntil((picture) => expect(colourAt(picture, 0.05, 0.05)).not.toEqual(BLACK)) // Ada has the whole picture
  })
})

function expectPhone(picture: Picture): void {
  expectColour(picture, 0.25, RED)
  expectColour(picture, 0.75, BLUE)
}

const expectNobody = (picture: Picture) => {
  for (const x of [0.25, 0.75]) expectColour(picture, x, BLACK)
}

function expectColour(picture: Picture, x: number, colour: Colour): void {
  const seen = colourAt(picture, x, 0.5)
  for (const part of ['y', 'u', 'v'] as const) expect(Math.abs(seen[part] - colour[part])).toBeLessThan(12)
}

/** Returns the colour at a place, whose coordinates are from 0 to 1. */
function colourAt({ planes }: Picture, x: number, y: number): Colour {
  const [luma, blue, red] = planes.map(({ data, width, height }) => {
    return data[Math.floor(y * height) * width + Math.floor(x * width)] as number
  }) as [number, number, number]
  return { y: luma, u: blue, v: red }
}
