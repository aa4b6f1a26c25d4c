import { readFile } from 'node:fs/promises'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'

export interface Mp4Facts {
  /** The top-level boxes in their order. */
  readonly boxes: string[]
  readonly video: (Span & { readonly frames: number; readonly width: number; readonly height: number }) | undefined
  readonly audio: (Span & { readonly sampleRate: number; readonly channels: number }) | undefined
}

/** Seconds of the file's time. Audio begins a little before 0: the encoder's run-up, which players leave out. */
interface Span {
  readonly start: number
  readonly end: number
}

/** What an mp4 says of itself, read by mediabunny and not by the ffmpeg that wrote it. */
export async function inspectMp4(path: string): Promise<Mp4Facts> {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(path) })
  const video = (await input.getPrimaryVideoTrack()) ?? undefined
  const audio = (await input.getPrimaryAudioTrack()) ?? undefined
  const facts: Mp4Facts = {
    boxes: boxesOf(await readFile(path)),
    video: video && {
      frames: (await video.computePacketStats()).packetCount,
      start: await video.getFirstTimestamp(),
      end: await video.computeDuration(),
      width: await video.getCodedWidth(),
      height: await video.getCodedHeight(),
    },
    audio: audio && {
      start: await audio.getFirstTimestamp(),
      end: await audio.computeDuration(),
      sampleRate: await audio.getSampleRate(),
      channels: await audio.getNumberOfChannels(),
    },
  }
  input.dispose()
  return facts
}

function boxesOf(file: Buffer): string[] {
  const boxes: string[] = []
  for (let at = 0; at + 8 <= file.length; ) {
    boxes.push(file.toString('latin1', at + 4, at + 8))
    at += file.readUInt32BE(at) || file.length
  }
  return boxes
}
