import { Command } from 'commander'
import { type Bench, toRow, toTable } from '../../../bench/bench.ts'
import { createConsoleBench } from '../../../bench/console/console.ts'
import { createLaptopBench } from '../../../bench/laptop.ts'
import { createLiveBench } from '../../../bench/live/live.ts'
import { createLiveHlsBench } from '../../../bench/live-hls/live-hls.ts'
import { createMediaBench } from '../../../bench/media/media.ts'
import { createOrchestrationBench } from '../../../bench/orchestration/orchestration.ts'
import { createPlatformBench } from '../../../bench/platform/platform.ts'
import { createPublishBench } from '../../../bench/publish/publish.ts'
import { createScaleBench } from '../../../bench/scale/scale.ts'
import { createSessionBench } from '../../../bench/session.ts'
import { createSipBench } from '../../../bench/sip/sip.ts'
import { bundle } from '../../../lib/constructs/deploy/bundles.ts'
import { nodeOptionsFor } from '../../../lib/constructs/showrunner-function.ts'
import { synthesizeTemplate } from '../../local/assembly.ts'
import { interruptible } from '../../local/interruption.ts'
import { wholeNumber } from '../../parsers.ts'
import { openLaptopStage } from '../../shows/laptop-stage.ts'
import { openSessionStage } from '../../shows/session-stage.ts'

const all = {
  platform: createPlatformBench(),
  media: createMediaBench(),
  live: createLiveBench(),
  'live-hls': createLiveHlsBench(),
  console: createConsoleBench(),
  sip: createSipBench(),
  orchestration: createOrchestrationBench({ synthesize: synthesizeTemplate }),
  scale: createScaleBench(),
  publish: createPublishBench({ bundle, nodeOptions: nodeOptionsFor(['archives'], 512) }),
  session: createSessionBench({ open: openSessionStage }),
  laptop: createLaptopBench({ open: openLaptopStage }),
} as const

/** @param known the benches by name; @default all */
export const benchCommand = (known: Readonly<Record<string, Bench>> = all) =>
  new Command('bench')
    .description('run a benchmark against its baseline; missed goals are reported but do not fail the command')
    .argument('<name>', `one of ${Object.keys(known).join(', ')}`)
    .option('--json', 'print only an array of { bench, work, unit, value, baseline, ratio, goal, met }, as JSON')
    .option('--minutes <number>', 'duration of a bench that watches something: console', wholeNumber(1))
    .addHelpText('after', `\nBenches:\n${listOf(known)}`)
    .action((name: string, options: Options) => {
      const bench = findBench(name, known, options)
      return interruptible((signal) => runBench(name, bench, options, signal))
    })

interface Options {
  readonly json?: boolean
  readonly minutes?: number
}

function findBench(name: string, known: Readonly<Record<string, Bench>>, { minutes }: Options): Bench {
  const bench = Object.hasOwn(known, name) ? known[name] : undefined
  if (!bench) throw new Error(`There is no bench ${name}. Choose one of:\n${listOf(known)}`)
  if (minutes === undefined) return bench
  if (!bench.lasting) throw new Error(`The bench ${name} has a fixed duration. Leave out --minutes.`)
  return bench.lasting(minutes * 60)
}

async function runBench(name: string, bench: Bench, { json }: Options, signal: AbortSignal) {
  const measurements = await bench.run((step) => process.stderr.write(`… ${step}\n`), signal)
  const rows = measurements.map((measurement) => toRow(name, measurement))
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : toTable(name, measurements))
}

const listOf = (known: Readonly<Record<string, Bench>>) =>
  Object.entries(known)
    .map(([name, { summary }]) => `  ${name}  ${summary}`)
    .join('\n')
