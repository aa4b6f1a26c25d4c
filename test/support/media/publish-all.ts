import { copyAudio } from '../../../lib/media/audio/copy-audio.ts'
import { measureAudio } from '../../../lib/media/audio/measure-audio.ts'
import type { ByteSource } from '../../../lib/media/byte-source.ts'
import { findBlack } from '../../../lib/media/chapters/find-black.ts'
import { assembleComposite } from '../../../lib/media/composite/assemble-composite.ts'
import {
  encodeCompositePiece,
  planCompositePieces as planComposed,
} from '../../../lib/media/composite/encode-composite-piece.ts'
import { mixAudio } from '../../../lib/media/composite/mix-audio.ts'
import { planComposite } from '../../../lib/media/composite/plan-composite.ts'
import { planFaststart } from '../../../lib/media/faststart/plan-faststart.ts'
import { cutPiece } from '../../../lib/media/hls/cut-piece.ts'
import { encodePiece } from '../../../lib/media/hls/encode-piece.ts'
import { renditionsBelow } from '../../../lib/media/hls/ladder.ts'
import { planPieces } from '../../../lib/media/hls/pieces.ts'
import { openIndividualArchive } from '../../../lib/media/individual/individual-archive.ts'
import { inspect } from '../../../lib/media/inspect.ts'
import { makePoster } from '../../../lib/media/pictures/poster.ts'
import { makeThumbnails } from '../../../lib/media/pictures/thumbnails.ts'

/** Small enough that every picture is larger. */
const LADDER = [{ name: '64p', height: 64, maxVideoBitrate: 100_000 }]
/** Of a plan with many, the first are enough: the others are like them. */
const PIECES = 2
/** Of a composite: encoding as many as a damaged manifest claims takes as long as for a real archive. */
const FRAMES = 120
/** Of audio, in seconds: measuring as many hours as a damaged table claims takes as long as for a real recording. */
const AUDIO_SECONDS = 60

export const inMemory = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
})

/** How one task ended: with a result, or with an error. */
export type TaskOutcome = { readonly task: string; readonly error?: unknown }

/** Does with a file in memory what all publishing tasks do; without an ffmpeg, what they do without one. */
export async function* publishAll(
  kind: 'mp4' | 'zip',
  bytes: Uint8Array,
  ffmpegPath: string | undefined,
): AsyncGenerator<TaskOutcome, void, undefined> {
  yield* kind === 'mp4' ? publishMp4(inMemory(bytes), ffmpegPath) : publishZip(inMemory(bytes), ffmpegPath)
}

async function attempt<T>(task: string, act: () => Promise<T>): Promise<{ outcome: TaskOutcome; value?: T }> {
  try {
    return { outcome: { task }, value: await act() }
  } catch (error) {
    return { outcome: { task, error } }
  }
}

const drain = async (stream: AsyncIterable<Uint8Array>) => {
  for await (const _ of stream);
}

const takeNothing = async () => {}

async function* publishMp4(source: ByteSource, ffmpegPath: string | undefined) {
  const inspected = await attempt('inspect', () => inspect(source))
  yield inspected.outcome
  const planned = await attempt('planPieces', () => planPieces(source))
  yield planned.outcome
  yield (await attempt('makeFaststart', () => planFaststart(source))).outcome
  yield (await attempt('copyAudio', () => drain(copyAudio(source)))).outcome
  const { video, audio } = inspected.value ?? {}
  for (const piece of (planned.value ?? []).slice(0, PIECES)) {
    yield (await attempt('cutPiece', () => cutPiece(source, piece, takeNothing))).outcome
    if (!ffmpegPath) continue
    const renditions = video ? renditionsBelow(video, LADDER) : []
    yield (await attempt('encodePiece', () => encodePiece(source, piece, renditions, takeNothing, { ffmpegPath })))
      .outcome
  }
  if (!ffmpegPath) return
  yield (await attempt('makePoster', () => makePoster({ ffmpegPath, source }))).outcome
  yield (await attempt('makeThumbnails', () => Array.fromAsync(makeThumbnails({ ffmpegPath, source })))).outcome
  yield (await attempt('findChapters', () => findBlack({ ffmpegPath, source }))).outcome
  if (!audio) return
  const heard = { ...audio, duration: Math.min(audio.duration, AUDIO_SECONDS) }
  yield (await attempt('measureAudio', () => measureAudio({ ffmpegPath, m4a: copyAudio(source), ...heard }))).outcome
}

async function* publishZip(source: ByteSource, ffmpegPath: string | undefined) {
  const opened = await attempt('openComposite', async () => {
    const archive = await openIndividualArchive(source)
    return { archive, plan: planComposite(archive, { width: 320, height: 180 }) }
  })
  yield opened.outcome
  if (!opened.value || !ffmpegPath) return
  const { archive, plan: whole } = opened.value
  const plan = { ...whole, frames: Math.min(whole.frames, FRAMES) }
  const pieces = planComposed(plan, 2)
  const made: Uint8Array[] = []
  for (const piece of pieces.slice(0, PIECES)) {
    const composed = await attempt('composePiece', () =>
      Array.fromAsync(encodeCompositePiece(archive, plan, piece, { ffmpegPath })),
    )
    yield composed.outcome
    made.push(Buffer.concat(composed.value ?? []))
  }
  const mixed = await attempt('mixAudio', () => Array.fromAsync(mixAudio(archive, plan, { ffmpegPath })))
  yield mixed.outcome
  if (pieces.length > PIECES || made.some(({ length }) => length === 0) || !mixed.value) return
  const audio = Buffer.concat(mixed.value)
  const assembled = assembleComposite(made.map(inMemory), audio.length > 0 ? inMemory(audio) : null, plan)
  yield (await attempt('assembleComposite', () => drain(assembled))).outcome
}
