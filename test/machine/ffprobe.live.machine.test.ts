import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoRun, runDemo } from '../support/demo.ts'
import { ONE_TURN } from '../support/media/attendance.ts'
import { findTool } from '../support/tools.ts'

/** The demo with Debian's ffmpeg, its files looked at by ffprobe: two programs that did not make this one up. */
describe('demo, seen by ffprobe', () => {
  let ffprobe: string
  let demo: DemoRun

  beforeAll(async () => {
    ffprobe = await findTool('ffprobe', 'ffmpeg')
    demo = await runDemo({ FFMPEG_PATH: await findTool('ffmpeg', 'ffmpeg') })
    expect(demo.code, demo.stderr).toBe(0)
  })
  afterAll(() => demo?.remove())

  const probe = async (path: string): Promise<Probe> => {
    const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path]
    return JSON.parse((await promisify(execFile)(ffprobe, args)).stdout)
  }

  it.each([
    ['program', 1280, 720],
    ['speakers', 640, 480],
  ])('finds H.264 at 30 fps and AAC in %s', async (name, width, height) => {
    const { file, duration } = demo.recording(name)
    const { streams, format } = await probe(file)
    const [video, audio] = [
      streams.find((one) => one.codec_type === 'video'),
      streams.find((one) => one.codec_type === 'audio'),
    ]
    expect(video).toMatchObject({ codec_name: 'h264', width, height, avg_frame_rate: '30/1', pix_fmt: 'yuv420p' })
    expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000' })
    expect(Math.abs(Number(format.duration) - duration)).toBeLessThan(0.5)
    expect(Math.abs(Number(video?.duration) - Number(audio?.duration))).toBeLessThan(0.1)
  })

  it('finds the whole broadcast in the playlist that stayed', async () => {
    const { format } = await probe(demo.outcome.broadcasts[0]?.playlist ?? '')
    const [broadcast] = demo.record.broadcasts
    const seconds = ((broadcast?.end ?? 0) - (broadcast?.start ?? 0)) / 1000
    expect(Math.abs(Number(format.duration) - seconds)).toBeLessThan(ONE_TURN / 1000)
  })
})

interface Probe {
  streams: { codec_type: string; codec_name: string; duration?: string }[]
  format: { duration: string }
}
