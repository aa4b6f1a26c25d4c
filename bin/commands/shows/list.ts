import { Command } from 'commander'
import { collectItems } from '../../operations/collect-items.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { showTable } from '../../operations/terminal-text.ts'
import { wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly limit: number
  readonly cursor?: string
  readonly json?: boolean
}

const MAX = 1_000

export const listCommand = () =>
  withTarget(new Command('list').description('list shows, newest first'))
    .option('--limit <number>', `number of shows, at most ${MAX}`, wholeNumber(1, MAX), 20)
    .option('--cursor <text>', 'resume from the cursor printed by a previous `list`')
    .option('--json', 'print only { items, cursor }, as JSON; the last page has no cursor')
    .action(runList)

async function runList({ limit, cursor, json, ...where }: Options): Promise<void> {
  const { access } = await findTarget(where)
  const shows = await collectItems(createShowApi(access).shows.list, limit, cursor)
  const more = shows.cursor ? ['', `There are more shows: --cursor ${shows.cursor}`] : []
  printResult(json, shows, [...showTable(shows.items), ...more])
}
