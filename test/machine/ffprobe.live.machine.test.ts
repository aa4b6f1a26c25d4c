import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProgram } from '../support/program.ts'
import { findTool } from '../support/tools.ts'

/** The demo with Debian's ffmpeg, its files looked at by ffprobe: two programs that did not make this one up. */
describe('demo, seen by ffprobe', () => {
  let directory: string
  let ffprobe: string
  let outcome: {
    status: string
    recordings: { name: string; file: string; duration: number }[]
    broadcasts: { playlist: string }[]
  }

  beforeAll(async () => {
    ffprobe = await findTool('ffprobe', 'ffmpeg')
    const FFMPEG_PATH = await findTool('ffmpeg', 'ffmpeg')
    directory = await mkdtemp(join(tmpdir(), 'showrunner-machine-'))
    const { code, stdout, stderr } = await startProgram(['demo', '--json', '--directory', join(directory, 'demo')], {
      FFMPEG_PATH,
    }).ended
    expect(code, stderr).toBe(0)
    outcome = JSON.parse(stdout)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const probe = async (path: string): Promise<Probe> => {
    const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path]
    return JSON.parse((await promisify(execFile)(ffprobe, args)).stdout)
  }

  it.each([
    ['program', 1280, 720],
    ['speakers', 640, 480],
  ])('finds H.264 at 30 fps and AAC in %s', async (name, width, height) => {
    const recording = outcome.recordings.find((one) => one.name === name)
    const { streams, format } = await probe(recording?.file ?? '')
    const [video, audio] = [
      streams.find((one) => one.codec_type === 'video'),
      streams.find((one) => one.codec_type === 'audio'),
    ]
    expect(video).toMatchObject({ codec_name: 'h264', width, height, avg_frame_rate: '30/1', pix_fmt: 'yuv420p' })
    expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000' })
    expect(Math.abs(Number(format.duration) - (recording?.duration ?? 0))).toBeLessThan(0.5)
    expect(Math.abs(Number(video?.duration) - Number(audio?.duration))).toBeLessThan(0.1)
  })

  it('finds the whole broadcast in the playlist that stayed', async () => {
    const { format } = await probe(outcome.broadcasts[0]?.playlist ?? '')
    expect(Number(format.duration)).toBeGreaterThan(19)
  })
})

interface Probe {
  streams: { codec_type: string; codec_name: string; duration?: string }[]
  format: { duration: string }
}
