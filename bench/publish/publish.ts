import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Measurement } from '../bench.ts'
import { priceOf } from '../prices.ts'
import { type Figures, type Harness, openHarness } from './harness.ts'
import { LIMITED, measureLimits } from './limits.ts'
import { growthOf, toMeasurements } from './measurements.ts'
import { ARCHIVE_ID, gigabyteSeconds, makeReady, type Plan, sourceOf, sum } from './ready-step.ts'
import { encodeSample, type Kind, putRecording, type Recording, standardKind } from './recording.ts'
import { findTools } from './tools.ts'

export interface PublishBenchOptions {
  /** Bundles functions as a deployment does. Returns the folder of a file under `lambdas/`. */
  readonly bundle: (files: readonly string[]) => (file: string) => string
  /** `NODE_OPTIONS` of functions that read archives. */
  readonly nodeOptions: string
  readonly kind?: Kind
  /** Seconds of the compared recording, and of the short and long ones whose growth is measured. */
  readonly lengths?: { readonly compared: number; readonly short: number; readonly long: number }
}

const standardLengths = { compared: 3600, short: 600, long: 14_400 }
const FUNCTIONS = ['make-faststart', 'make-poster', 'make-thumbnails', 'cut-piece', 'write-playlists', ...LIMITED]
/** Returns a function's file below `lambdas/`. */
const fileOf = (name: string) => `publish/${name}`
/** Maximum seconds of a Lambda invocation. */
const LAMBDA = 900

/** Measures publishing until a recording can be watched, compared with ffmpeg, in a local bucket. */
export const createPublishBench = ({
  bundle,
  nodeOptions,
  kind = standardKind,
  lengths = standardLengths,
}: PublishBenchOptions): Bench => ({
  summary:
    'from archive.mp4 until it can be watched, compared with Debian’s ffmpeg; takes 12 GB of disk and some minutes',
  async run(onStep, signal) {
    const tools = await findTools()
    const directory = await mkdtemp(join(tmpdir(), 'showrunner-bench-'))
    let harness: Harness | undefined
    try {
      onStep('bundling the functions and starting the bucket')
      const folders = bundle(FUNCTIONS.map(fileOf))
      const folderOf = (name: string) => folders(fileOf(name))
      harness = await openHarness({ ...tools, directory, folderOf, nodeOptions, signal })
      return await measure(harness, kind, lengths, (words) => {
        signal.throwIfAborted()
        onStep(words)
      })
    } finally {
      await harness?.close()
      await rm(directory, { recursive: true, force: true })
    }
  },
})

async function measure(
  harness: Harness,
  kind: Kind,
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
    {
      work: `a piece of ${long / 60} minutes, of the ${LAMBDA} s of a Lambda`,
      unit: 's',
      value: ofLong.piece.seconds,
      baseline: LAMBDA,
      goal: { atMost: 0.5 },
    },
    ...limits,
  ]
}

async function compare(
  harness: Harness,
  recording: Recording,
  onStep: (words: string) => void,
): Promise<Measurement[]> {
  const source = sourceOf(recording)
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

  onStep('making a faststart copy, and by ffmpeg')
  const planned = await harness.work('planFaststart', recording)
  const faststart = await harness.invoke('make-faststart', source)
  const faststartByFfmpeg = await harness.workByFfmpeg('faststart', recording)

  onStep('cutting a piece, and by ffmpeg')
  const plan = await harness.work<Plan>('inspectAndPlan', recording)
  const [first, second] = plan.result.pieces
  const piece = await harness.invoke('cut-piece', { ...source, piece: second ?? first })
  const pieceByFfmpeg = await harness.workByFfmpeg('cutPiece', recording)

  onStep('running the ready step, and by ffmpeg')
  const { figures: ready, playlists } = await makeReady(harness, recording)
  const readyByFfmpeg = await harness.workByFfmpeg('everything', recording)

  const apart = Math.max(faststart.seconds, poster.seconds, piece.seconds + playlists)
  const price = (functions: readonly number[], figures: Figures, transitions: number) =>
    priceOf({
      gigabyteSecond: functions.reduce((all, one) => all + one, 0),
      invocation: functions.length,
      transition: transitions,
      read: figures.reads,
      write: figures.writes,
    })
  const pieces = plan.result.pieces.map(() => gigabyteSeconds('cutPiece', piece))
  const functions = [
    gigabyteSeconds('inspectRecording', plan),
    gigabyteSeconds('makeFaststart', faststart),
    gigabyteSeconds('makePoster', poster),
    ...pieces,
  ]
  return [
    ...toMeasurements('inspect, to ffprobe -show_packets', inspected, packets, {
      seconds: { atMost: 1 / 5 },
      read: { atMost: 5, of: 'value' },
    }),
    { work: 'inspect, to plain ffprobe: wall time', unit: 's', value: inspected.seconds, baseline: probed.seconds },
    ...toMeasurements('poster and 60 thumbnails, to the faster of ffmpeg’s', sum([poster, thumbnails]), pictures, {
      seconds: { atMost: 1 / 5 },
      read: { atMost: recording.size / 1e8, of: 'value' },
    }),
    ...[
      { way: 'a seek for each', figures: bySeeks },
      { way: '-skip_frame nokey', figures: byKeyframes },
    ].map(({ way, figures }) => ({
      work: `poster and 60 thumbnails, to ffmpeg’s by ${way}: wall time`,
      unit: 's',
      value: poster.seconds + thumbnails.seconds,
      baseline: figures.seconds,
    })),
    ...toMeasurements('faststart copy, to download, +faststart, upload', faststart, faststartByFfmpeg, {
      seconds: { atMost: 1 / 2 },
      moved: { atMost: 12, of: 'value' },
    }),
    {
      work: 'faststart copy: planned',
      unit: 's',
      value: planned.seconds,
      baseline: null,
      goal: { atMost: 0.2, of: 'value' },
    },
    { work: 'faststart copy: of it the bucket’s own copying', unit: 's', value: faststart.copying, baseline: null },
    ...toMeasurements('ten minutes of HLS by copy, to ffmpeg -c copy -f hls, upload', piece, pieceByFfmpeg, {
      seconds: { atMost: 1 },
      memory: { atMost: 200, of: 'value' },
    }),
    ...toMeasurements('all until ready, side by side here, to ffmpeg’s in sequence', ready, readyByFfmpeg, {
      seconds: { atMost: 1 / 5 },
    }),
    {
      work: 'all until ready, each function on a separate machine, to ffmpeg’s in sequence: wall time',
      unit: 's',
      value: plan.seconds + apart,
      baseline: readyByFfmpeg.seconds,
      goal: { atMost: 1 / 5 },
    },
    {
      work: 'all until ready: price on AWS, to one Lambda of 2 GB for ffmpeg’s sequence',
      unit: 'US$',
      value: price(functions, ready, TRANSITIONS + plan.result.pieces.length),
      baseline: price([readyByFfmpeg.seconds * 2], readyByFfmpeg, 1),
    },
  ]
}

/** States that the publish machine enters until a recording is ready, without pieces. */
const TRANSITIONS = 14

async function growth(harness: Harness, recording: Recording, onStep: (words: string) => void) {
  onStep(`measuring how it grows: ${recording.seconds / 60} minutes`)
  const source = sourceOf(recording)
  const plan = await harness.work<Plan>('inspectAndPlan', recording)
  return {
    inspect: plan,
    poster: await harness.invoke('make-poster', source),
    thumbnails: await harness.invoke('make-thumbnails', source),
    faststart: await harness.invoke('make-faststart', source),
    piece: await harness.invoke('cut-piece', { ...source, piece: plan.result.pieces.at(-1) }),
  }
}
