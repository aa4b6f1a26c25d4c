import type { ArchiveSpec } from '../../../../../local/sandbox/media/media.ts'
import type { SourceFile } from '../../../../../local/sandbox/media/sources/source-file.ts'
import { SAMPLES_PER_SECOND } from '../../../../../local/sandbox/media/timebase.ts'
import { beepOnsets } from '../../../../support/media/beeps.ts'
import { findCells, flashOnsets, readCellTimecode } from '../../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../../support/media/decode.ts'
import { commandLineOf, processesWith } from '../../../../support/processes.ts'
import { type openMedia, stream } from '../open-media.ts'

const SIZE = { width: 320, height: 240 }
const FRAME = 1 / 30

export type World = Awaited<ReturnType<typeof openMedia>>

/** Starts an archive of the session. */
export const archive = ({ media }: World, id: string, more: Partial<ArchiveSpec> = {}) =>
  media.startArchive({
    ...{ id, sessionId: 'session', resolution: '320x240', layout: { type: 'bestFit' }, hasAudio: true, hasVideo: true },
    ...more,
  })

/** Records for so many milliseconds; gives the file's path. */
export async function record(world: World, id: string, ms: number): Promise<string> {
  const recorder = await archive(world, id)
  await world.clock.advance(ms)
  return (await recorder.finish()).path ?? ''
}

/** Returns the processes that decode a file: the picture size of each (`width:height`), or its audio without pictures. */
export const decodersOf = (path: string): string[] =>
  processesWith(`file:${path}`).map((pid) => /scale=(\d+:\d+)/.exec(commandLineOf(pid))?.[1] ?? 'audio')

/** Records a generated participant, who then leaves. */
export async function recordPattern(world: World, ms: number): Promise<string> {
  world.media.publish(stream('pattern'))
  const path = await record(world, 'pattern', ms)
  world.media.unpublish('session', 'pattern')
  return path
}

/** Lets a file join as the only participant. */
export async function join({ media }: World, path: string): Promise<SourceFile> {
  const source = await media.openFile(path)
  media.publish(stream('file', { source }))
  return source
}

/** Returns the timecodes and flashes of the first participant in a part of an archive, in seconds. */
export async function timecodesAndFlashes(
  { ffmpegPath }: World,
  path: string,
  part: { from?: number; seconds?: number } = {},
) {
  const pictures = await decodePictures(ffmpegPath, path, { ...SIZE, ...part })
  const codes = pictures.map((picture) => {
    const cell = findCells(picture).get(0)
    return cell && readCellTimecode(picture, cell)
  })
  return { codes, flashes: flashOnsets(pictures, 0).map((frame) => frame * FRAME) }
}

export const audioOf = ({ ffmpegPath }: World, path: string) => decodeAudio(ffmpegPath, path)

/** Returns a part of audio, in seconds. */
export const cut = (audio: Int16Array, from: number, seconds: number) =>
  audio.subarray(from * SAMPLES_PER_SECOND, (from + seconds) * SAMPLES_PER_SECOND)

/** Returns the distance of each flash from the nearest beep, in frames. */
export function framesApart(flashes: readonly number[], audio: Int16Array): number[] {
  const beeps = beepOnsets(audio, 0)
  return flashes.map((flash) => Math.min(...beeps.map((beep) => Math.abs(beep - flash))) / FRAME)
}
