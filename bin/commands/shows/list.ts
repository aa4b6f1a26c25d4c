import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { showTable } from '../../operations/terminal-text.ts'
import { wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi, type ShowApi, type ShowSummary } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly limit: number
  readonly cursor?: string
  readonly json?: boolean
}

const MAX = 1_000
/** Limit of the API. */
const MAX_PAGE_ITEMS = 100

export const listCommand = () =>
  withTarget(new Command('list').description('list shows, newest first'))
    .option('--limit <number>', `number of shows, at most ${MAX}`, wholeNumber(1, MAX), 20)
    .option('--cursor <text>', 'resume from the cursor printed by a previous `list`')
    .option('--json', 'print only { items, cursor }, as JSON; the last page has no cursor')
    .action(runList)

async function runList({ limit, cursor, json, ...where }: Options): Promise<void> {
  const { access } = await findTarget(where)
  const shows = await collect(createShowApi(access).shows, limit, cursor)
  const more = shows.cursor ? ['', `There are more shows: --cursor ${shows.cursor}`] : []
  printResult(json, shows, [...showTable(shows.items), ...more])
}

/** Reads pages until there are `limit` shows or no more. */
async function collect(shows: ShowApi['shows'], limit: number, cursor: string | undefined) {
  const items: ShowSummary[] = []
  let next = cursor
  do {
    const page = await shows.list({ limit: Math.min(limit - items.length, MAX_PAGE_ITEMS), cursor: next }).page()
    items.push(...page.items)
    next = page.cursor
  } while (next && items.length < limit)
  return { items, ...(next && { cursor: next }) }
}
