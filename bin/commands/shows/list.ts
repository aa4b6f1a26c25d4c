import { Command, Option } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { type ShowStatus, showStatuses } from '../../../lib/show/state/state.ts'
import { interruptible } from '../../local/interruption.ts'
import { type Collected, collectItems } from '../../operations/collect-items.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { showTable } from '../../operations/terminal-text.ts'
import { parseInstant, parseLabel, parseShowId, wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi, type ShowAnswer, type ShowApi, type ShowSummary } from '../../shows/show-api.ts'
import { createScreen } from '../../terminal/screen.ts'

interface Options extends TargetOptions {
  readonly status?: ShowStatus
  readonly label?: string
  readonly from?: string
  readonly to?: string
  readonly series?: string
  readonly limit: number
  readonly cursor?: string
  readonly watch?: boolean
  readonly json?: boolean
}

const MAX = 1_000
const WATCH_INTERVAL_MS = 2_000

export const listCommand = () =>
  withTarget(new Command('list').description('list shows, newest first'))
    .addOption(new Option('--status <status>', 'only shows with this status').choices(showStatuses))
    .option('--label <name=value>', 'only shows with this label', parseLabel)
    .option('--from <time>', 'only shows that were accepted at this time or later', parseInstant)
    .option('--to <time>', 'only shows that were accepted at this time or earlier', parseInstant)
    .option('--series <id>', 'only shows that this recurring show has started', parseShowId)
    .option('--limit <number>', `number of shows, at most ${MAX}`, wholeNumber(1, MAX), 20)
    .option('--cursor <text>', 'resume from the cursor printed by a previous `list`')
    .option('--watch', 'print the list again whenever it changes, until Ctrl-C')
    .option('--json', 'print only { items, cursor }, as JSON; the last page has no cursor')
    .addHelpText(
      'after',
      `
Times are in the zone of this machine, and in UTC with --json. With --watch and --json each list is one line.

Examples:
  showrunner list --watch --limit 10
  showrunner list --status failed --from 2026-12-01
  showrunner list --label customer=c-7`,
    )
    .action((options: Options) => interruptible((signal) => runList(options, signal)))

async function runList(
  { limit, cursor, watch, json, status, label, from, to, series, ...where }: Options,
  signal: AbortSignal,
): Promise<void> {
  const { shows } = createShowApi((await findTarget(where)).access)
  const filter = { status, label, from, to, scheduleId: series }
  const read = () => collectItems((page) => shows.list({ ...page, ...filter }), limit, cursor)
  const starts = createStarts(shows)
  if (!watch) {
    const found = await read()
    return printResult(json, found, json ? [] : linesOf(found, await starts.of(found.items)))
  }
  const screen = createScreen(process.stdout)
  for (let last = ''; !signal.aborted; await realClock.sleep(WATCH_INTERVAL_MS, signal)) {
    const found = await read()
    const text = json ? JSON.stringify(found) : linesOf(found, await starts.of(found.items)).join('\n')
    if (text !== last && !signal.aborted) {
      if (json) process.stdout.write(`${text}\n`)
      else screen.show(text)
    }
    last = text
  }
}

function linesOf({ items, cursor }: Collected<ShowSummary>, starts: Starts): string[] {
  const more = cursor ? ['', `There are more shows: --cursor ${cursor}`] : []
  return [...showTable(items, starts, realClock.now()), ...more]
}

type Starts = ReadonlyMap<string, NonNullable<ShowAnswer['start']>>

/** Reads the starts of scheduled shows, which the list does not have. Each is read once. */
function createStarts(shows: Pick<ShowApi['shows'], 'get'>) {
  const known = new Map<string, NonNullable<ShowAnswer['start']>>()
  return {
    async of(items: readonly ShowSummary[]): Promise<Starts> {
      const unknown = items.filter(({ showId, status }) => status === 'scheduled' && !known.has(showId))
      for (const { showId } of unknown) {
        const { start } = await shows.get(showId)
        if (start) known.set(showId, start)
      }
      return known
    },
  }
}
