import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtempDisposable, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { CANDIDATES } from '../../lib/media/pictures/poster.ts'
import type { BenchRecording, PublishSurroundings } from './recording.ts'

/** The same works by ffmpeg. It reads the bucket through a link, or a downloaded file where it needs one. */
export const byFfmpeg = {
  probe: async (recording: BenchRecording, surroundings: PublishSurroundings) =>
    probe(surroundings, ['-show_format', '-show_streams', await linkTo(recording, surroundings)]),

  probePackets: async (recording: BenchRecording, surroundings: PublishSurroundings) =>
    probe(surroundings, ['-show_packets', await linkTo(recording, surroundings)]),

  picturesBySeeks: (recording: BenchRecording, surroundings: PublishSurroundings) =>
    inFolder(surroundings, async (folder) => {
      const { ffmpegPath } = surroundings
      const url = await linkTo(recording, surroundings)
      await seekPicture(ffmpegPath, url, recording.seconds / 2, join(folder, 'poster.jpg'))
      for (let n = 0; n < TILES; n++) {
        const second = ((n + 0.5) * recording.seconds) / TILES
        await seekPicture(ffmpegPath, url, second, join(folder, `tile-${n}.png`), ['-vf', SMALL])
      }
      const tiles = ['-i', join(folder, 'tile-%d.png'), '-vf', SHEET, '-frames:v', '1']
      await runFfmpeg(ffmpegPath, [...tiles, join(folder, 'sprite.jpg')])
      await upload(folder, ['poster.jpg', 'sprite.jpg'], surroundings)
    }),

  picturesByKeyframes: (recording: BenchRecording, surroundings: PublishSurroundings) =>
    inFolder(surroundings, async (folder) => {
      const { ffmpegPath } = surroundings
      const url = await linkTo(recording, surroundings)
      await seekPicture(ffmpegPath, url, recording.seconds / 2, join(folder, 'poster.jpg'))
      const sheet = `fps=${TILES}/${recording.seconds},${SMALL},${SHEET}`
      const output = ['-an', '-vf', sheet, '-frames:v', '1', join(folder, 'sprite.jpg')]
      await runFfmpeg(ffmpegPath, ['-skip_frame', 'nokey', ...LINK, '-i', url, ...output])
      await upload(folder, ['poster.jpg', 'sprite.jpg'], surroundings)
    }),

  faststart: (recording: BenchRecording, surroundings: PublishSurroundings) =>
    inFolder(surroundings, async (folder) => {
      await faststart(await download(recording, folder, surroundings), folder, surroundings)
    }),

  cutPiece: (recording: BenchRecording, surroundings: PublishSurroundings) =>
    inFolder(surroundings, async (folder) => {
      const from = PIECE < recording.seconds / 2 ? PIECE : 0
      const input = ['-ss', String(from), ...LINK, '-i', await linkTo(recording, surroundings), '-t', String(PIECE)]
      await cutHls(input, folder, surroundings)
    }),

  /** Everything of the ready step: inspection, a poster chosen from five pictures, a faststart copy, and playlists. */
  everything: (recording: BenchRecording, surroundings: PublishSurroundings) =>
    inFolder(surroundings, async (folder) => {
      const path = await download(recording, folder, surroundings)
      await probe(surroundings, ['-show_packets', path])
      await choosePoster(path, recording, folder, surroundings)
      await faststart(path, folder, surroundings)
      await cutHls(['-i', path], folder, surroundings, SEPARATE_TRACKS)
    }),
} as const

const TILES = 60
const SMALL = 'scale=160:-2'
const SHEET = 'tile=10x6'
/** Seconds of a piece. */
const PIECE = 600

/** Cuts the segments of a piece, or of a whole recording with its playlists. */
const ONE_TRACK = { tracks: [] as readonly string[], playlist: 'video.m3u8' }
const SEPARATE_TRACKS = {
  tracks: [
    ...['-map', '0:v:0', '-map', '0:a:0', '-master_pl_name', 'master.m3u8'],
    ...['-var_stream_map', 'v:0,agroup:audio a:0,agroup:audio'],
  ],
  playlist: 'track-%v.m3u8',
}

const linkTo = ({ key }: BenchRecording, { storage }: PublishSurroundings) => storage.link(key, 3600)

/** Runs ffprobe and ignores its output, whose reading would cost as much as printing it. */
async function probe({ ffprobePath }: PublishSurroundings, args: readonly string[]): Promise<void> {
  const child = spawn(ffprobePath, ['-v', 'error', '-of', 'csv', ...args], { stdio: 'ignore' })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(`ffprobe exited with code ${code}.`)
}

/** Protocols that an input of ffmpeg may open: a link to the bucket. */
const LINK = ['-protocol_whitelist', 'file,http,https,tcp,tls']

const seekPicture = (ffmpegPath: string, from: string, second: number, to: string, filter: readonly string[] = []) =>
  runFfmpeg(ffmpegPath, [
    ...['-noaccurate_seek', '-ss', String(second), ...LINK, '-i', from],
    ...['-frames:v', '1', ...filter, to],
  ])

/** Makes the candidates of a poster. Their comparison is omitted: its cost is small. */
async function choosePoster(
  path: string,
  { seconds }: BenchRecording,
  folder: string,
  surroundings: PublishSurroundings,
) {
  const { ffmpegPath } = surroundings
  for (let n = 0; n < CANDIDATES; n++) {
    const second = ((n + 0.5) * seconds) / CANDIDATES
    await seekPicture(ffmpegPath, path, second, join(folder, `candidate-${n}.png`), ['-vf', SMALL])
  }
  await seekPicture(ffmpegPath, path, seconds / 2, join(folder, 'poster.jpg'))
  await upload(folder, ['poster.jpg'], surroundings)
}

async function faststart(path: string, folder: string, surroundings: PublishSurroundings): Promise<void> {
  const output = ['-c', 'copy', '-movflags', '+faststart', join(folder, 'faststart.mp4')]
  await runFfmpeg(surroundings.ffmpegPath, ['-i', path, ...output])
  await upload(folder, ['faststart.mp4'], surroundings)
}

async function cutHls(
  input: readonly string[],
  folder: string,
  surroundings: PublishSurroundings,
  { tracks, playlist } = ONE_TRACK,
): Promise<void> {
  const hls = join(folder, 'hls')
  await mkdir(hls)
  const format = ['-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4']
  const output = [...format, '-hls_flags', 'single_file', ...tracks, join(hls, playlist)]
  await runFfmpeg(surroundings.ffmpegPath, [...input, '-c', 'copy', ...output])
  await upload(hls, await readdir(hls), surroundings)
}

async function download(
  { key, etag }: BenchRecording,
  folder: string,
  { storage }: PublishSurroundings,
): Promise<string> {
  const path = join(folder, 'source.mp4')
  const source = await storage.open(key, etag)
  await pipeline(Readable.from(await source.stream()), createWriteStream(path))
  return path
}

async function upload(folder: string, names: readonly string[], { storage }: PublishSurroundings): Promise<void> {
  for (const name of names)
    await storage.putStream(`by-ffmpeg/${name}`, createReadStream(join(folder, name), { highWaterMark: 2 ** 20 }))
}

async function inFolder({ directory }: PublishSurroundings, act: (folder: string) => Promise<unknown>): Promise<void> {
  await using folder = await mkdtempDisposable(join(directory, 'by-ffmpeg-'))
  await act(folder.path)
}
