import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { checkShow } from '../../../lib/show/document/check-show.ts'
import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import { inOneLine } from '../../../lib/show/document/fields/texts.ts'
import type { Show } from '../../../lib/show/document/show.ts'
import type { CostItem } from '../../../lib/show/plan/forecast/cost-items.ts'
import { prices } from '../../../lib/show/plan/forecast/prices.ts'
import { costOf, type ShowCost } from '../../../lib/show/plan/forecast/show-cost.ts'
import { wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { nameOfFile, readShowFile } from '../../shows/show-file.ts'

const REMARK = `
The figures are computed from list prices in ${prices.region}, as of ${prices.asOf}, without free tiers: docs/deploy.md has
their sources. The platform's own charges are not included. An hour of a recording counts as 1 GB.`

export const costCommand = () =>
  new Command('cost')
    .description('print what a show would cost on AWS, item by item, without starting it')
    .argument('<file>', 'show document (JSON), or - for standard input')
    .option(
      '--viewers <number>',
      'people who watch every recording once, from start to end',
      wholeNumber(0, 1_000_000_000),
      0,
    )
    .option('--json', 'print only { region, asOf, usd, items, storage, viewers } as JSON')
    .addHelpText('after', REMARK)
    .action(runCost)

async function runCost(file: string, { viewers, json }: { viewers: number; json?: boolean }): Promise<void> {
  const checked = checkShow(await readShowFile(file), realClock.now())
  if (!('show' in checked))
    throw new Error(`${nameOfFile(file)} is not a valid show. \`validate ${file}\` lists what is wrong with it.`)
  const cost = costOf(checked.show, viewers)
  const { region, asOf } = prices
  printResult(json, { region, asOf, ...cost }, linesOf(checked.show, cost, viewers))
}

function linesOf(show: Show, { items, usd, storage, viewers }: ShowCost, people: number): string[] {
  const start = show.start && 'cron' in show.start ? ', each time' : ''
  const end = show.duration === null ? `, if it lasts its maxDuration of ${maxSecondsOf(show)} s` : ''
  return [
    `${inOneLine(show.name)}${start}${end}, in US$ (${prices.region}, ${prices.asOf}):`,
    ...items.map((one) => lineOf(one, 4)),
    lineOf({ item: 'Running and publishing it', amount: '', usd }, 2),
    lineOf({ ...storage, item: 'Storing it, a month' }, 2),
    ...(people > 0 ? [lineOf({ ...viewers, item: `Sending it to ${people} viewers` }, 2)] : []),
  ]
}

const lineOf = ({ item, amount, usd }: CostItem, digits: number) =>
  `  ${item.padEnd(32)}${amount.padEnd(34)}${usd.toFixed(digits).padStart(10)}`
