import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage } from '../../lib/aws/storage/storage.ts'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import type { Tools } from './tools.ts'

/** An archive in the bucket, as the platform uploads it: H.264 and AAC, the index behind the media. */
export interface BenchRecording {
  readonly key: string
  readonly etag: string
  /** Size in bytes. */
  readonly size: number
  readonly seconds: number
}

/** Tools of works. */
export interface WorkOptions extends Tools {
  /** A private folder. */
  readonly directory: string
}

export interface PublishSurroundings extends WorkOptions {
  readonly storage: Storage
}

export interface RecordingKind {
  readonly width: number
  readonly height: number
  /** Bits per second, audio included. */
  readonly bitrate: number
}

/** The default recording: a gigabyte an hour. */
export const standardKind: RecordingKind = { width: 1280, height: 720, bitrate: 2_222_000 }

const AUDIO = 128_000
/** Seconds that are encoded. Recordings repeat them. */
const ENCODED = 30

/** Encodes the sample that recordings repeat: moving noise at a constant bit rate, a keyframe every two seconds. */
export async function encodeSample({ ffmpegPath, directory }: WorkOptions, kind: RecordingKind): Promise<string> {
  const path = join(directory, 'sample.mp4')
  const rate = String(kind.bitrate - AUDIO)
  await runFfmpeg(ffmpegPath, [
    ...['-f', 'lavfi', '-i', `testsrc2=s=${kind.width}x${kind.height}:r=30,noise=alls=14:allf=t,format=yuv420p`],
    ...['-f', 'lavfi', '-i', 'anoisesrc=a=0.1:r=48000', '-t', String(ENCODED)],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-b:v', rate, '-minrate', rate, '-maxrate', rate],
    ...['-bufsize', rate, '-nal-hrd', 'cbr', '-c:a', 'aac', '-b:a', String(AUDIO), '-f', 'mp4', path],
  ])
  return path
}

/** Repeats the sample to the length of a recording, and uploads it to the bucket. */
export async function putRecording(
  { storage, ffmpegPath, directory }: PublishSurroundings,
  sample: string,
  { seconds, key }: Pick<BenchRecording, 'seconds' | 'key'>,
): Promise<BenchRecording> {
  const path = join(directory, 'recording.mp4')
  const input = ['-stream_loop', String(Math.ceil(seconds / ENCODED)), '-i', sample]
  await runFfmpeg(ffmpegPath, [...input, '-c', 'copy', '-t', String(seconds), '-f', 'mp4', path])
  const { size } = await stat(path)
  await storage.putStream(key, createReadStream(path, { highWaterMark: 2 ** 20 }), 'video/mp4')
  await rm(path)
  return { key, seconds, size, etag: (await storage.etagOf(key)) ?? '' }
}
