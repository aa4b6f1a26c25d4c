import { Command, InvalidArgumentError } from 'commander'
import { toTable } from '../../operations/show-words.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { createShowApi, type ShowApi, type ShowSummary } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly limit: number
  readonly cursor?: string
  readonly json?: boolean
}

const MAX = 1_000
/** The API's own. */
const MAX_PAGE_ITEMS = 100

export const listCommand = () =>
  withTarget(new Command('list').description('list shows, newest first'))
    .option('--limit <number>', `how many at most, up to ${MAX}`, parseLimit, 20)
    .option('--cursor <text>', 'go on after an earlier list, which has said this')
    .option('--json', 'print { items, cursor } and nothing else; without a cursor that was all')
    .action(list)

async function list({ limit, cursor, json, ...where }: Options): Promise<void> {
  const { access } = await findTarget(where)
  const shows = await collect(createShowApi(access), limit, cursor)
  if (json) return void process.stdout.write(`${JSON.stringify(shows, null, 2)}\n`)
  const more = shows.cursor ? ['', `There are more: --cursor ${shows.cursor}`] : []
  process.stdout.write(`${[...toTable(shows.items), ...more].join('\n')}\n`)
}

/** As many pages as it takes. */
async function collect(api: ShowApi, limit: number, cursor: string | undefined) {
  const items: ShowSummary[] = []
  let next = cursor
  do {
    const page = await api.list({ limit: Math.min(limit - items.length, MAX_PAGE_ITEMS), cursor: next })
    items.push(...page.items)
    next = page.cursor
  } while (next && items.length < limit)
  return { items, ...(next && { cursor: next }) }
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX}.`)
  return limit
}
