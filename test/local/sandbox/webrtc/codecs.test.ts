import { describe, expect, it } from 'vitest'
import * as werift from 'werift'
import { headerExtensions, videoParameters } from '../../../../local/sandbox/webrtc/codecs.ts'

describe('headerExtensions', () => {
  it('leaves out the orientation of video, so that senders rotate the picture themselves', () => {
    const uris = headerExtensions(werift).map(({ uri }) => uri)
    expect(uris).toContain('urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id')
    expect(uris).not.toContain('urn:3gpp:video-orientation')
  })
})

describe('videoParameters', () => {
  const feedback = (hasLayers: boolean) =>
    videoParameters(werift, 'VP8', { hasLayers }).map(({ mimeType, rtcpFeedback }) => ({
      mimeType,
      feedback: rtcpFeedback.map(({ type, parameter }) => [type, parameter].filter(Boolean).join(' ')),
    }))

  it('repairs one layer by NACK and RTX, and several by NACK alone', () => {
    const [video, rtx] = feedback(false)
    expect(video?.feedback).toEqual(expect.arrayContaining(['nack', 'nack pli', 'transport-cc']))
    expect(rtx?.mimeType).toBe('video/rtx')
    const layered = feedback(true)
    expect(layered).toHaveLength(1)
    expect(layered[0]?.feedback).toEqual(expect.arrayContaining(['nack', 'nack pli']))
  })
})
