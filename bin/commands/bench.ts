import { Command } from 'commander'
import { type Bench, toRow, toTable } from '../../bench/bench.ts'
import { benches } from '../../bench/benches.ts'
import { interruptible } from '../laptop/interruption.ts'

/** @param all the benches that there are, by name */
export const benchCommand = (all: Readonly<Record<string, Bench>> = benches) =>
  new Command('bench')
    .description('measure something beside a baseline in the same run; a goal that is missed is told, not failed')
    .argument('<name>', `one of ${Object.keys(all).join(', ')}`)
    .option('--json', 'print an array of { bench, work, unit, value, baseline, ratio, goal, met } and nothing else')
    .addHelpText('after', `\nBenches:\n${listOf(all)}`)
    .action((name: string, { json = false }: { json?: boolean }) =>
      interruptible((signal) => runBench(name, all, json, signal)),
    )

async function runBench(name: string, all: Readonly<Record<string, Bench>>, json: boolean, signal: AbortSignal) {
  const bench = Object.hasOwn(all, name) ? all[name] : undefined
  if (!bench) throw new Error(`There is no bench ${name}; there is:\n${listOf(all)}`)
  const measurements = await bench.run((words) => process.stderr.write(`… ${words}\n`), signal)
  const rows = measurements.map((measurement) => toRow(name, measurement))
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : toTable(name, measurements))
}

const listOf = (all: Readonly<Record<string, Bench>>) =>
  Object.entries(all)
    .map(([name, { summary }]) => `  ${name}  ${summary}`)
    .join('\n')
