import { describe, expect, it } from 'vitest'
import { type MediaStreamTrack, RtpHeader, RtpPacket } from 'werift'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import { createVideoLayer } from '../../../../../local/sandbox/webrtc/layers/video-layer.ts'

function openLayer() {
  const clock = createSteppedClock(0)
  /** Times at which a keyframe was requested. */
  const requests: number[] = []
  const sendRtcpPLI = async () => void requests.push(clock.now())
  const layer = createVideoLayer(clock, { ssrc: 1 } as MediaStreamTrack, { sendRtcpPLI })
  const keyframe = () => layer.arrived(new RtpPacket(new RtpHeader(), Buffer.alloc(1)), { width: 640, height: 480 })
  return { clock, requests, layer, keyframe }
}

describe('createVideoLayer', () => {
  it('requests at most one keyframe in half a second, and postpones a request to its end', async () => {
    const { clock, requests, layer } = openLayer()
    layer.requestKeyframe()
    await clock.advance(100)
    layer.requestKeyframe()
    layer.requestKeyframe()
    await clock.advance(2_000)
    expect(requests).toEqual([0, 500])
  })

  it('cancels a postponed request once a keyframe arrives', async () => {
    const { clock, requests, layer, keyframe } = openLayer()
    layer.requestKeyframe()
    await clock.advance(100)
    layer.requestKeyframe()
    keyframe()
    await clock.advance(2_000)
    expect(requests).toEqual([0])
  })
})
