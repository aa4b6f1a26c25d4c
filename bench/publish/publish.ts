import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, createBench, type Measurement, measurement } from '../bench.ts'
import { priceOf } from '../prices.ts'
import { openPublishHarness, type PublishHarness, type WorkFigures } from './harness.ts'
import { LIMITED, measureLimits } from './limits.ts'
import { growthOf, toMeasurements } from './measurements.ts'
import { ARCHIVE_ID, benchSourceOf, gigabyteSeconds, makeReady, type PublishPlan, sum } from './ready-step.ts'
import { type BenchRecording, encodeSample, putRecording, type RecordingKind, standardKind } from './recording.ts'
import { findTools } from './tools.ts'

export interface PublishBenchOptions {
  /** Bundles functions as a deployment does. Returns the folder of a file under `lambdas/`. */
  readonly bundle: (files: readonly string[]) => (file: string) => string
  /** `NODE_OPTIONS` of functions that read archives. */
  readonly nodeOptions: string
  readonly kind?: RecordingKind
  /** Seconds of the compared recording, and of the short and long ones whose growth is measured. */
  readonly lengths?: { readonly compared: number; readonly short: number; readonly long: number }
}

const standardLengths = { compared: 3600, short: 600, long: 14_400 }
const FUNCTIONS = ['make-faststart', 'make-poster', 'make-thumbnails', 'cut-piece', 'write-playlists', ...LIMITED]
const fileOf = (name: string) => `publish/${name}`
/** Maximum seconds of a Lambda invocation. */
const LAMBDA = 900

/** Measures publishing until a recording can be watched, compared with ffmpeg, in a local bucket. */
export const createPublishBench = ({
  bundle,
  nodeOptions,
  kind = standardKind,
  lengths = standardLengths,
}: PublishBenchOptions): Bench =>
  createBench(
    'from archive.mp4 until it can be watched, compared with Debian’s ffmpeg; takes 12 GB of disk and some minutes',
    async (onStep, signal) => {
      const tools = await findTools()
      await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
      onStep('bundling the functions and starting the bucket')
      const folders = bundle(FUNCTIONS.map(fileOf))
      const folderOf = (name: string) => folders(fileOf(name))
      await using harness = await openPublishHarness({
        ...tools,
        directory: folder.path,
        folderOf,
        nodeOptions,
        signal,
      })
      return await measure(harness, kind, lengths, onStep)
    },
  )

async function measure(
  harness: PublishHarness,
  kind: RecordingKind,
  { compared, short, long }: typeof standardLengths,
  onStep: (words: string) => void,
): Promise<Measurement[]> {
  onStep('encoding half a minute')
  const sample = await encodeSample(harness, kind)
  const record = (seconds: number) => {
    onStep(`putting a recording of ${seconds / 60} minutes into the bucket`)
    return putRecording(harness, sample, { seconds, key: `1/${ARCHIVE_ID}/archive.mp4` })
  }
  const rows = await compare(harness, await record(compared), onStep)
  const ofShort = await growth(harness, await record(short), onStep)
  const longest = await record(long)
  const ofLong = await growth(harness, longest, onStep)
  onStep('comparing functions with their timeout and memory; encoding a piece takes minutes')
  const limits = await measureLimits(harness, longest, ofLong.inspect.result)
  const name = (work: string) => `${work} of ${long / 60} minutes, to of ${short / 60}`
  const flat = { memory: { atMost: 1.1 } }
  return [
    ...rows,
    ...growthOf(name('inspect'), ofLong.inspect, ofShort.inspect),
    ...growthOf(name('poster'), ofLong.poster, ofShort.poster),
    ...growthOf(name('thumbnails'), ofLong.thumbnails, ofShort.thumbnails),
    ...growthOf(name('faststart copy'), ofLong.faststart, ofShort.faststart),
    ...growthOf(name('a piece of HLS'), ofLong.piece, ofShort.piece, flat),
    measurement(`a piece of ${long / 60} minutes, of the ${LAMBDA} s of a Lambda`, 's', ofLong.piece.seconds, LAMBDA, {
      atMost: 0.5,
    }),
    ...limits,
  ]
}

async function compare(
  harness: PublishHarness,
  recording: BenchRecording,
  onStep: (words: string) => void,
): Promise<Measurement[]> {
  const source = benchSourceOf(recording)
  onStep('inspecting, and by ffprobe')
  const inspected = await harness.work('inspect', recording)
  const packets = await harness.workByFfmpeg('probePackets', recording)
  const probed = await harness.workByFfmpeg('probe', recording)

  onStep('making poster and thumbnails, and by ffmpeg')
  const poster = await harness.invoke('make-poster', source)
  const thumbnails = await harness.invoke('make-thumbnails', source)
  const byKeyframes = await harness.workByFfmpeg('picturesByKeyframes', recording)
  const bySeeks = await harness.workByFfmpeg('picturesBySeeks', recording)
  const pictures = byKeyframes.seconds < bySeeks.seconds ? byKeyframes : bySeeks
  const byFunctions = sum([poster, thumbnails])
  const picturesBeside = (way: string, { seconds }: WorkFigures) =>
    measurement(`poster and 60 thumbnails, to ffmpeg’s by ${way}: wall time`, 's', byFunctions.seconds, seconds)

  onStep('making a faststart copy, and by ffmpeg')
  const planned = await harness.work('planFaststart', recording)
  const faststart = await harness.invoke('make-faststart', source)
  const faststartByFfmpeg = await harness.workByFfmpeg('faststart', recording)

  onStep('cutting a piece, and by ffmpeg')
  const plan = await harness.work<PublishPlan>('inspectAndPlan', recording)
  const [first, second] = plan.result.pieces
  const piece = await harness.invoke('cut-piece', { ...source, piece: second ?? first })
  const pieceByFfmpeg = await harness.workByFfmpeg('cutPiece', recording)

  onStep('running the ready step, and by ffmpeg')
  const { figures: ready, playlists } = await makeReady(harness, recording)
  const readyByFfmpeg = await harness.workByFfmpeg('everything', recording)

  const apart = Math.max(faststart.seconds, poster.seconds, piece.seconds + playlists)
  const price = (functions: readonly number[], figures: WorkFigures, transitions: number) =>
    priceOf({
      gigabyteSecond: functions.reduce((all, one) => all + one, 0),
      invocation: functions.length,
      transition: transitions,
      read: figures.reads,
      write: figures.writes,
    })
  const functions = [
    gigabyteSeconds('inspectRecording', plan),
    gigabyteSeconds('makeFaststart', faststart),
    gigabyteSeconds('makePoster', poster),
    ...plan.result.pieces.map(() => gigabyteSeconds('cutPiece', piece)),
  ]
  return [
    ...toMeasurements('inspect, to ffprobe -show_packets', inspected, packets, {
      seconds: { atMost: 1 / 5 },
      read: { atMost: 5, of: 'value' },
    }),
    measurement('inspect, to plain ffprobe: wall time', 's', inspected.seconds, probed.seconds),
    ...toMeasurements('poster and 60 thumbnails, to the faster of ffmpeg’s', byFunctions, pictures, {
      seconds: { atMost: 1 / 5 },
      read: { atMost: recording.size / 1e8, of: 'value' },
    }),
    picturesBeside('a seek for each', bySeeks),
    picturesBeside('-skip_frame nokey', byKeyframes),
    ...toMeasurements('faststart copy, to download, +faststart, upload', faststart, faststartByFfmpeg, {
      seconds: { atMost: 1 / 2 },
      moved: { atMost: 12, of: 'value' },
    }),
    measurement('faststart copy: planned', 's', planned.seconds, null, { atMost: 0.2, of: 'value' }),
    measurement('faststart copy: of it the bucket’s own copying', 's', faststart.copying, null),
    ...toMeasurements('ten minutes of HLS by copy, to ffmpeg -c copy -f hls, upload', piece, pieceByFfmpeg, {
      seconds: { atMost: 1 },
      memory: { atMost: 200, of: 'value' },
    }),
    ...toMeasurements('all until ready, side by side here, to ffmpeg’s in sequence', ready, readyByFfmpeg, {
      seconds: { atMost: 1 / 5 },
    }),
    measurement(
      'all until ready, each function on a separate machine, to ffmpeg’s in sequence: wall time',
      's',
      plan.seconds + apart,
      readyByFfmpeg.seconds,
      { atMost: 1 / 5 },
    ),
    measurement(
      'all until ready: price on AWS, to one Lambda of 2 GB for ffmpeg’s sequence',
      'US$',
      price(functions, ready, TRANSITIONS + plan.result.pieces.length),
      price([readyByFfmpeg.seconds * 2], readyByFfmpeg, 1),
    ),
  ]
}

/** States that the publish machine enters until a recording is ready, without pieces. */
const TRANSITIONS = 14

async function growth(harness: PublishHarness, recording: BenchRecording, onStep: (words: string) => void) {
  onStep(`measuring how it grows: ${recording.seconds / 60} minutes`)
  const source = benchSourceOf(recording)
  const plan = await harness.work<PublishPlan>('inspectAndPlan', recording)
  return {
    inspect: plan,
    poster: await harness.invoke('make-poster', source),
    thumbnails: await harness.invoke('make-thumbnails', source),
    faststart: await harness.invoke('make-faststart', source),
    piece: await harness.invoke('cut-piece', { ...source, piece: plan.result.pieces.at(-1) }),
  }
}
