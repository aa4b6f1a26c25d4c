import { Command } from 'commander'
import { collectItems } from '../../operations/collect-items.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseInstant, parseLabel, parseShowId, wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { deletedTable, recordingTable } from '../../recordings/recording-lines.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly show?: string
  readonly name?: string
  readonly label?: string
  readonly from?: string
  readonly to?: string
  readonly limit: number
  readonly cursor?: string
  readonly deleted?: boolean
  readonly json?: boolean
}

const MAX = 1_000

export const listRecordingsCommand = () =>
  withTarget(
    new Command('list').description('list published recordings, newest first, with links to their watch pages'),
  )
    .option('--show <id>', 'only recordings of this show', parseShowId)
    .option('--name <text>', 'only recordings with this text in their name or title')
    .option('--label <name=value>', 'only recordings of shows with this label', parseLabel)
    .option('--from <time>', 'only recordings that were created at this time or later', parseInstant)
    .option('--to <time>', 'only recordings that were created at this time or earlier', parseInstant)
    .option('--limit <number>', `number of recordings, at most ${MAX}`, wholeNumber(1, MAX), 20)
    .option('--cursor <text>', 'resume from the cursor printed by a previous `recordings list`')
    .option('--deleted', 'list recordings that were deleted and can still be restored')
    .option('--json', 'print only { items, cursor }, as JSON; the last page has no cursor')
    .addHelpText('after', '\nExample:\n  showrunner recordings list --limit 5 --label customer=c-7')
    .action(runList)

async function runList(options: Options): Promise<void> {
  const { limit, cursor, deleted, json, show: showId, name, label, from, to, ...where } = options
  const { recordings } = createShowApi((await findTarget(where)).access)
  const filter = { showId, name, label, from, to }
  if (deleted) {
    const found = await collectItems((page) => recordings.listDeleted({ ...page, ...filter }), limit, cursor)
    return printResult(json, found, [...deletedTable(found.items), ...more(found.cursor)])
  }
  const found = await collectItems((page) => recordings.list({ ...page, ...filter }), limit, cursor)
  printResult(json, found, [...recordingTable(found.items), ...more(found.cursor)])
}

const more = (cursor: string | undefined) => (cursor ? ['', `There are more recordings: --cursor ${cursor}`] : [])
