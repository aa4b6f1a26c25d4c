import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Measurement } from '../bench.ts'
import { priceOf } from '../prices.ts'
import { LIMITED, measureLimits } from './limits.ts'
import { ARCHIVE_ID, gigabyteSeconds, makeReady, type Plan, sourceOf, sum } from './ready.ts'
import { encodeStretch, type Kind, putRecording, type Recording, standardKind } from './recording.ts'
import { growthOf, rowsOf } from './rows.ts'
import { type Figures, openStage, type Stage } from './stage.ts'
import { findTools } from './tools.ts'

export interface PublishBenchOptions {
  /** Bundles functions as a deployment does; gives the folder of a file under `lambdas/`. */
  readonly bundle: (files: readonly string[]) => (file: string) => string
  /** With which functions run that read archives. */
  readonly nodeOptions: string
  readonly kind?: Kind
  /** Seconds: of the recording that is compared, and of those between which growth is told. */
  readonly lengths?: { readonly compared: number; readonly short: number; readonly long: number }
}

const standardLengths = { compared: 3600, short: 600, long: 14_400 }
const FUNCTIONS = ['make-faststart', 'make-poster', 'make-thumbnails', 'cut-piece', 'write-playlists', ...LIMITED]
/** Seconds that a Lambda may take. */
const LAMBDA = 900

/** What publishing a recording takes until it can be watched, beside ffmpeg, in a bucket on this machine. */
export const createPublishBench = ({
  bundle,
  nodeOptions,
  kind = standardKind,
  lengths = standardLengths,
}: PublishBenchOptions): Bench => ({
  summary: 'from archive.mp4 to what can be watched, beside ffmpeg (Debian’s); takes 12 GB of disk and some minutes',
  async run(onStep, signal) {
    const tools = await findTools()
    const directory = await mkdtemp(join(tmpdir(), 'showrunner-bench-'))
    let stage: Stage | undefined
    try {
      onStep('bundling the functions and starting the bucket')
      stage = await openStage({ ...tools, directory, folderOf: bundle(FUNCTIONS), nodeOptions, signal })
      return await measure(stage, kind, lengths, (words) => {
        signal.throwIfAborted()
        onStep(words)
      })
    } finally {
      await stage?.close()
      await rm(directory, { recursive: true, force: true })
    }
  },
})

async function measure(
  stage: Stage,
  kind: Kind,
  { compared, short, long }: typeof standardLengths,
  onStep: (words: string) => void,
): Promise<Measurement[]> {
  onStep('encoding half a minute')
  const stretch = await encodeStretch(stage, kind)
  const record = (seconds: number) => {
    onStep(`putting a recording of ${seconds / 60} minutes into the bucket`)
    return putRecording(stage, stretch, { seconds, key: `1/${ARCHIVE_ID}/archive.mp4` })
  }
  const rows = await compare(stage, await record(compared), onStep)
  const ofShort = await growth(stage, await record(short), onStep)
  const longest = await record(long)
  const ofLong = await growth(stage, longest, onStep)
  onStep('measuring what functions need of the time and memory that they may have; a piece is encoded for minutes')
  const limits = await measureLimits(stage, longest, ofLong.inspect.result)
  const name = (work: string) => `${work} of ${long / 60} minutes, to of ${short / 60}`
  const flat = { memory: { atMost: 1.1 } }
  return [
    ...rows,
    ...growthOf(name('inspect'), ofLong.inspect, ofShort.inspect),
    ...growthOf(name('poster'), ofLong.poster, ofShort.poster),
    ...growthOf(name('tiles'), ofLong.thumbnails, ofShort.thumbnails),
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

async function compare(stage: Stage, recording: Recording, onStep: (words: string) => void): Promise<Measurement[]> {
  const source = sourceOf(recording)
  onStep('inspecting, and by ffprobe')
  const inspected = await stage.work('inspect', recording)
  const packets = await stage.workByFfmpeg('probePackets', recording)
  const probed = await stage.workByFfmpeg('probe', recording)

  onStep('making poster and tiles, and by ffmpeg')
  const poster = await stage.invoke('make-poster', source)
  const thumbnails = await stage.invoke('make-thumbnails', source)
  const byKeyframes = await stage.workByFfmpeg('picturesByKeyframes', recording)
  const bySeeks = await stage.workByFfmpeg('picturesBySeeks', recording)
  const pictures = byKeyframes.seconds < bySeeks.seconds ? byKeyframes : bySeeks

  onStep('making a faststart copy, and by ffmpeg')
  const planned = await stage.work('planFaststart', recording)
  const faststart = await stage.invoke('make-faststart', source)
  const faststartByFfmpeg = await stage.workByFfmpeg('faststart', recording)

  onStep('cutting a piece, and by ffmpeg')
  const plan = await stage.work<Plan>('inspectAndPlan', recording)
  const [first, second] = plan.result.pieces
  const piece = await stage.invoke('cut-piece', { ...source, piece: second ?? first })
  const pieceByFfmpeg = await stage.workByFfmpeg('cutPiece', recording)

  onStep('making all that is ready first, and by ffmpeg')
  const { figures: ready, playlists } = await makeReady(stage, recording)
  const readyByFfmpeg = await stage.workByFfmpeg('everything', recording)

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
    ...rowsOf('inspect, to ffprobe -show_packets', inspected, packets, {
      seconds: { atMost: 1 / 5 },
      read: { atMost: 5, of: 'value' },
    }),
    { work: 'inspect, to plain ffprobe: wall time', unit: 's', value: inspected.seconds, baseline: probed.seconds },
    ...rowsOf('poster and 60 tiles, to the faster of ffmpeg’s', sum([poster, thumbnails]), pictures, {
      seconds: { atMost: 1 / 5 },
      read: { atMost: recording.size / 1e8, of: 'value' },
    }),
    ...[
      { way: 'a seek for each', figures: bySeeks },
      { way: '-skip_frame nokey', figures: byKeyframes },
    ].map(({ way, figures }) => ({
      work: `poster and 60 tiles, to ffmpeg’s by ${way}: wall time`,
      unit: 's',
      value: poster.seconds + thumbnails.seconds,
      baseline: figures.seconds,
    })),
    ...rowsOf('faststart copy, to download, +faststart, upload', faststart, faststartByFfmpeg, {
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
    ...rowsOf('ten minutes of HLS by copy, to ffmpeg -c copy -f hls, upload', piece, pieceByFfmpeg, {
      seconds: { atMost: 1 },
      memory: { atMost: 200, of: 'value' },
    }),
    ...rowsOf('all until ready, side by side here, to ffmpeg’s in sequence', ready, readyByFfmpeg, {
      seconds: { atMost: 1 / 5 },
    }),
    {
      work: 'all until ready, each function on a machine of its own, to ffmpeg’s in sequence: wall time',
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

/** States that the publish machine enters until a recording is ready, pieces excepted. */
const TRANSITIONS = 14

async function growth(stage: Stage, recording: Recording, onStep: (words: string) => void) {
  onStep(`measuring how it grows: ${recording.seconds / 60} minutes`)
  const source = sourceOf(recording)
  const plan = await stage.work<Plan>('inspectAndPlan', recording)
  return {
    inspect: plan,
    poster: await stage.invoke('make-poster', source),
    thumbnails: await stage.invoke('make-thumbnails', source),
    faststart: await stage.invoke('make-faststart', source),
    piece: await stage.invoke('cut-piece', { ...source, piece: plan.result.pieces.at(-1) }),
  }
}
