import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { onTestFinished } from 'vitest'
import { captureFrom, launchChromium } from '../../../../support/browsers/chromium.ts'
import { createUdpRelays } from './udp-relay.ts'

/** A participant's state in its page, without what cannot leave the page. */
export interface SeenSession {
  readonly status: string
  readonly reason?: string
  readonly streams: readonly { readonly name: string; readonly status: string; readonly hasAudio: boolean }[]
  readonly own: readonly { readonly streamId?: string; readonly status: string; readonly isMutedByModerator: boolean }[]
  /** Size of the video of the other. */
  readonly size: string
  /** Its mean colour, and which of a few of its pixels are bright. */
  readonly colour: 'red' | 'blue' | 'dark'
  readonly pixels: string
  /** Level of the audio of the other, 0 to 1. */
  readonly level: number
  /** Number of SDP answers that the page has received. */
  readonly answers: number
}

/** The session module of `web`, as the global `door` of a page. */
function bundle(): string {
  const entry = fileURLToPath(new URL('../../../../../web/session/session.ts', import.meta.url))
  const options = { bundle: true, write: false, format: 'iife', globalName: 'door', platform: 'browser' } as const
  return buildSync({ entryPoints: [entry], ...options }).outputFiles[0]?.text ?? ''
}

/** A function in the page: joins with camera and microphone, and defines `look`, which returns a {@link SeenSession}. */
const JOIN = `async ({ url, sessionId, token, name }) => {
  const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
  const media = await navigator.mediaDevices.getUserMedia({ audio, video: { width: 320, height: 240 } })
  const video = Object.assign(document.createElement('video'), { autoplay: true, muted: true })
  const context = new OffscreenCanvas(16, 12).getContext('2d', { willReadFrequently: true })
  const sound = new AudioContext()
  const analyser = sound.createAnalyser()
  let answers = 0
  class Relayed extends RTCPeerConnection {
    async setRemoteDescription({ type, sdp }) {
      const lines = sdp.split('\\r\\n').map(async (line) => {
        const [, before, port, after] = /^(a=candidate:\\S+ \\d+ udp \\d+ \\S+ )(\\d+)( .*)$/i.exec(line) ?? []
        return port ? before + await relay(Number(port)) + after : line
      })
      await super.setRemoteDescription({ type, sdp: (await Promise.all(lines)).join('\\r\\n') })
      answers++
    }
  }
  const session = door.joinSession({
    ...{ url, sessionId, token, browser: { WebSocket, MediaStream, RTCPeerConnection: Relayed } },
    onChange({ streams: [stream] }) {
      if (!stream || video.srcObject === stream.media || stream.media.getTracks().length < 2) return
      video.srcObject = stream.media
      sound.createMediaStreamSource(stream.media).connect(analyser)
    },
  })
  const camera = session.publish(media, { name })
  Object.assign(window, { camera, look() {
    context.drawImage(video, 0, 0, 16, 12)
    const { data } = context.getImageData(0, 0, 16, 12)
    const mean = (offset) => data.reduce((sum, value, index) => sum + (index % 4 === offset ? value : 0), 0) / 192
    const samples = new Float32Array(analyser.fftSize)
    analyser.getFloatTimeDomainData(samples)
    const { status, reason, streams, publications } = session.state
    return {
      ...{ status, reason, answers },
      streams: streams.map(({ name, status, hasAudio }) => ({ name, status, hasAudio })),
      own: publications.map(({ streamId, status, isMutedByModerator }) => ({ streamId, status, isMutedByModerator })),
      size: video.videoWidth + 'x' + video.videoHeight,
      colour: mean(0) > 2 * mean(2) ? 'red' : mean(2) > 2 * mean(0) ? 'blue' : 'dark',
      pixels: [...data].filter((_, index) => index % 4 === 1).map((value) => Number(value > 128)).join(''),
      level: Math.max(...samples),
    }
  } })
}`

/** A function in the page: sends another picture, of 480x270, red with a moving box. */
const CHANGE_SIZE = `() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 270 })
  const context = canvas.getContext('2d')
  setInterval(() => {
    context.fillStyle = '#f00'
    context.fillRect(0, 0, 480, 270)
    context.fillStyle = '#fff'
    context.fillRect((Date.now() / 10) % 480, 0, 20, 270)
  }, 33)
  return camera.replaceTrack(canvas.captureStream(30).getVideoTracks()[0])
}`

/** Opens a page of its own Chromium, whose camera is a moving box on a colour, and its microphone a tone. */
export async function openSessionPage(
  ffmpegPath: string,
  directory: string,
  { colour, tone }: { colour: 'red' | 'blue'; tone: number },
) {
  const [video, audio] = [join(directory, `${colour}.y4m`), join(directory, `${colour}.wav`)]
  const boxes = [0, 1, 2, 3].map(
    (place) => `drawbox=x=${80 * place}:w=40:h=240:color=white:t=fill:enable='eq(mod(floor(4*t),4),${place})'`,
  )
  const picture = [`color=${colour}:s=320x240:r=30:d=2`, ...boxes].join()
  const make = (...args: string[]) => promisify(execFile)(ffmpegPath, ['-loglevel', 'error', '-f', 'lavfi', ...args])
  await make('-i', picture, '-pix_fmt', 'yuv420p', video)
  await make('-i', `sine=${tone}:r=48000:d=2`, '-ac', '2', audio)
  const script = bundle()
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(`<title>Page</title><script>${script}</script>`),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const browser = await launchChromium(captureFrom({ video, audio }))
  onTestFinished(async () => {
    await browser.close()
    server.close()
  })
  const page = await browser.newPage()
  const { network, relay } = createUdpRelays()
  await page.exposeFunction('relay', relay)
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return {
    changeSize: () => page.evaluate(`(${CHANGE_SIZE})()`),
    network,
    join: (options: { url: string; sessionId: string; token: string; name: string }) =>
      page.evaluate(`(${JOIN})(${JSON.stringify(options)})`),
    look: () => page.evaluate<SeenSession>('look()'),
  }
}
