import { describe, expect, it } from 'vitest'
import * as werift from 'werift'
import type { Kind } from '../../../../local/sandbox/media/live/packets.ts'
import type { Viewer } from '../../../../local/sandbox/media/media.ts'
import { createEncodedStream } from '../../../../local/sandbox/webrtc/encoded-stream.ts'
import type { PacketListener } from '../../../../local/sandbox/webrtc/live-stream.ts'

/** A stream whose encoder is the test, with what it was asked to do. */
function openStream(start?: () => Promise<never>) {
  const log: string[] = []
  let viewer: Viewer | undefined
  const stream = createEncodedStream(werift, { hasAudio: true, hasVideo: true }, async (given) => {
    log.push('start')
    await start?.()
    viewer = given
    return {
      async stop() {
        log.push('stop')
      },
    }
  })
  return { stream, log, viewer: () => viewer as Viewer }
}

interface Heard extends PacketListener {
  readonly packets: { kind: Kind; packet: werift.RtpPacket; time: number }[]
  ends: number
}

function listener(): Heard {
  const heard: Heard = {
    packets: [],
    ends: 0,
    onPacket: (kind, packet, time) => void heard.packets.push({ kind, packet, time }),
    onEnd() {
      heard.ends++
    },
  }
  return heard
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('createEncodedStream', () => {
  it('encodes from its first listener to its last one, and again for the next', async () => {
    const { stream, log } = openStream()
    await soon()
    expect(log).toEqual([])
    const leave = [stream.listen(listener()), stream.listen(listener())]
    await soon()
    expect(log).toEqual(['start'])
    leave[0]?.()
    leave[0]?.()
    await soon()
    expect(log).toEqual(['start'])
    leave[1]?.()
    stream.listen(listener())
    await soon()
    expect(log).toEqual(['start', 'stop', 'start'])
  })

  it('divides a frame into packets with one timestamp, whose last has the marker', async () => {
    const { stream, viewer } = openStream()
    const heard = listener()
    stream.listen(heard)
    await soon()
    const time = Date.UTC(2026, 0, 1)
    const frame = Uint8Array.from({ length: 3_000 }, (_, index) => index)
    viewer().onUnit({ kind: 'video', data: frame, place: time * 90 })
    viewer().onUnit({ kind: 'audio', data: Uint8Array.of(0xfc, 1, 2), place: time * 48 })
    const [video, audio] = [heard.packets.slice(0, -1), heard.packets.at(-1)]
    const parts = video.map(({ packet }) => werift.Vp8RtpPayload.deSerialize(packet.payload))
    expect(Buffer.concat(parts.map(({ payload }) => payload))).toEqual(Buffer.from(frame))
    expect(parts.map(({ sBit }) => sBit)).toEqual([1, 0, 0])
    expect(video.map(({ packet }) => packet.header.marker)).toEqual([false, false, true])
    expect(new Set(video.map(({ packet }) => packet.header.timestamp))).toEqual(new Set([(time * 90) % 2 ** 32]))
    expect(audio?.packet.payload).toEqual(Buffer.of(0xfc, 1, 2))
    expect(new Set(heard.packets.map((one) => one.time))).toEqual(new Set([time]))
  })

  it('ends once for every listener when its encoder fails, and for later ones at once', async () => {
    const { stream, viewer, log } = openStream()
    const [early, late] = [listener(), listener()]
    stream.listen(early)
    await soon()
    viewer().onFailure(new Error('killed'))
    stream.end()
    stream.listen(late)
    await soon()
    expect([early.ends, late.ends, log]).toEqual([1, 1, ['start', 'stop']])
  })

  it('ends when its encoder does not start', async () => {
    const { stream } = openStream(() => Promise.reject(new Error('no ffmpeg')))
    const heard = listener()
    stream.listen(heard)
    await soon()
    expect(heard.ends).toBe(1)
  })
})
