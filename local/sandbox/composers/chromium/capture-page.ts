import type { Page } from 'playwright-core'
import type { Size } from '../../media/composing/picture.ts'

/**
 * Address of the page that captures the tab of another. It is answered by {@link openCapturePage} and never requested from
 * the network; browsers allow the capture on secure origins only.
 */
const ADDRESS = 'https://capture.showrunner.invalid/'

/** Frames per second, as in archives and broadcasts. */
const FRAME_RATE = 30
/** Bits per second for each pixel of a frame: 2.8 Mb/s at 1280x720. */
const BITS_PER_PIXEL = 3
const AUDIO_BITRATE = 128_000

/** A function in the page: begins to capture the tab that Chromium selects by its title. */
const CAPTURE = `async ({ width, height, frameRate }) => {
  const most = (value) => ({ ideal: value, max: value })
  window.stream = await navigator.mediaDevices.getDisplayMedia({
    video: { width: most(width), height: most(height), frameRate: most(frameRate) },
    audio: {
      suppressLocalAudioPlayback: true,
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
      channelCount: 2,
    },
  })
}`

/** A function in the page: returns the offer of a peer that sends what is captured. */
const OFFER = `async ({ videoBitrate, frameRate, audioBitrate }) => {
  const peer = (window.peer = new RTCPeerConnection())
  for (const track of window.stream.getTracks()) {
    const isVideo = track.kind === 'video'
    if (isVideo) track.contentHint = 'motion' // the frame rate matters more than sharp edges
    const encoding = isVideo ? { maxBitrate: videoBitrate, maxFramerate: frameRate } : { maxBitrate: audioBitrate }
    const transceiver = peer.addTransceiver(track, { direction: 'sendonly', sendEncodings: [encoding] })
    if (!isVideo) continue
    // Encoding H.264 takes a quarter of the time of VP8. A browser without it offers VP8 only.
    const isH264 = ({ mimeType }) => mimeType === 'video/H264'
    const { codecs } = RTCRtpSender.getCapabilities('video')
    transceiver.setCodecPreferences([...codecs.filter(isH264), ...codecs.filter((codec) => !isH264(codec))])
    // Otherwise a slow machine or a new connection would send smaller pictures.
    const { sender } = transceiver
    await sender.setParameters({ ...sender.getParameters(), degradationPreference: 'maintain-resolution' })
  }
  await peer.setLocalDescription()
  return peer.localDescription.sdp
}`

/**
 * A function in the page: sets the answer. The bit rate is at least half of what is wanted, and begins there, because the
 * packets do not leave this machine: what Chromium takes for congestion is a busy processor.
 */
const ANSWER = `async ({ sdp, videoBitrate }) => {
  const kbps = Math.round(videoBitrate / 2000)
  const rates = 'x-google-start-bitrate=' + kbps + ';x-google-min-bitrate=' + kbps
  const [, type] = /a=rtpmap:(\\d+) (?:H264|VP8)\\/90000/.exec(sdp) ?? []
  const parameters = 'a=fmtp:' + type + ' '
  const tuned = sdp.includes(parameters)
    ? sdp.replace(parameters, parameters + rates + ';')
    : sdp.replace(new RegExp('(a=rtpmap:' + type + ' .*)'), '$1\\r\\n' + parameters + rates)
  await window.peer.setRemoteDescription({ type: 'answer', sdp: tuned })
}`

export type CapturePage = Awaited<ReturnType<typeof openCapturePage>>

/** Turns an empty page into one that captures a tab of some size. */
export async function openCapturePage(page: Page, { width, height }: Size) {
  await page.route(ADDRESS, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Capture</title>' }))
  await page.goto(ADDRESS)
  const run = <Value>(script: string, argument: object) =>
    page.evaluate<Value>(`(${script})(${JSON.stringify(argument)})`)
  const bitrates = { videoBitrate: width * height * BITS_PER_PIXEL, audioBitrate: AUDIO_BITRATE }
  return {
    /** Begins the capture, of the tab whose title the browser was started with. */
    capture: () => run<void>(CAPTURE, { width, height, frameRate: FRAME_RATE }),
    /** Returns the SDP offer of a peer that sends what is captured. */
    offer: () => run<string>(OFFER, { ...bitrates, frameRate: FRAME_RATE }),
    answer: (sdp: string) => run<void>(ANSWER, { ...bitrates, sdp }),
  }
}
