import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { type Bench, createBench, type Goal, type Measurement, measurement } from '../bench.ts'
import { quantile } from '../figures.ts'
import type { MediaServer } from './door.ts'
import { findJanus, startJanus } from './janus-server.ts'
import { type Load, type LoadFigures, measureLoad } from './measure-load.ts'
import { encodePictures } from './pictures.ts'
import { startSandboxServer } from './sandbox-server.ts'

/** Amounts of each measurement. */
export interface LiveAmounts {
  /** Publishers without subscribers. */
  readonly idle: Load
  readonly loads: readonly Load[]
}

const standard: LiveAmounts = {
  idle: { publishers: 10, subscribers: 0, joins: 0, seconds: 20 },
  loads: [
    { publishers: 4, subscribers: 4, joins: 30, seconds: 20 },
    { publishers: 10, subscribers: 10, joins: 0, seconds: 20 },
  ],
}

/** Measures the WebRTC doors of the sandbox, compared with Janus under the same load. */
export const createLiveBench = (amounts: LiveAmounts = standard, find = findJanus): Bench =>
  createBench('the WebRTC doors under load, compared with Janus (Debian package janus)', async (onStep, signal) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
    onStep('encoding the pictures of the publishers')
    const ffmpegPath = await findFfmpeg()
    const pictures = join(folder.path, 'pictures.ivf')
    await encodePictures(ffmpegPath, pictures)
    const janus = await find()
    const rows: Measurement[] = []
    for (const load of [amounts.idle, ...amounts.loads]) {
      const measure = async (name: string, start: () => Promise<MediaServer>) => {
        onStep(`${name}: ${describe(load)}`)
        const server = await start()
        return measureLoad({ server, load, ffmpegPath, pictures, signal }).finally(() => server.close())
      }
      const sandbox = await measure('sandbox', () => startSandboxServer(signal))
      const baseline = janus ? await measure('Janus', () => startJanus(janus, signal)) : undefined
      rows.push(...rowsOf(load, sandbox, baseline))
    }
    return rows
  })

const describe = ({ publishers, subscribers }: Load) =>
  subscribers === 0 ? `${publishers} idle publishers` : `${publishers} publishers, ${subscribers} subscribers each`

function rowsOf(load: Load, sandbox: LoadFigures, janus: LoadFigures | undefined): Measurement[] {
  const to = janus ? 'to Janus’s' : 'Janus is not installed'
  const row = (work: string, unit: string, figure: (figures: LoadFigures) => number, goal?: Goal) =>
    measurement(`${describe(load)}: ${work}, ${to}`, unit, figure(sandbox), janus ? figure(janus) : null, goal)
  const cores = (goal?: Goal) => row('CPU', 'cores', (one) => one.cores, goal)
  const memory = row('memory', 'MB', (one) => one.memory / 1e6)
  const sent = row('pictures sent a second by each', '1/s', (one) => one.sentRate)
  if (load.subscribers === 0) return [cores({ atMost: 0.2, of: 'value' }), memory, sent]
  const atMost = (bound: number) => ({ atMost: bound, of: 'value' }) as const
  return [
    row('latency, p50', 'ms', (one) => one.latency.p50),
    row('latency, p95', 'ms', (one) => one.latency.p95, atMost(10)),
    cores({ atMost: 4 }),
    memory,
    row('packets lost', '%', (one) => one.lost * 100),
    sent,
    ...(load.joins > 0
      ? [
          row('offer to first decoded picture, p50', 's', (one) => quantile(one.joins, 0.5)),
          row('offer to first decoded picture, p95', 's', (one) => quantile(one.joins, 0.95), atMost(1)),
        ]
      : []),
  ]
}
