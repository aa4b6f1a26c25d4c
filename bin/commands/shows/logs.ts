import { Command, Option } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { readFunctionLog } from '../../local/function-log.ts'
import { interruptible } from '../../local/interruption.ts'
import { followShowLog } from '../../operations/follow-log.ts'
import { linesOfShow } from '../../operations/lines-of-show.ts'
import { entriesOf, groupedLines, type LogLevel, logLevels, selectEntries } from '../../operations/log-entries.ts'
import { logQueryOf } from '../../operations/log-query.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { timelineLines } from '../../operations/terminal-text.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'
import { hasColors } from '../../terminal/colors.ts'

interface Options extends TargetOptions {
  readonly follow?: boolean
  readonly level: LogLevel
  readonly reads?: boolean
  readonly json?: boolean
}

const HELP = `
Log lines are grouped by task, with times in the zone of this machine. With --follow they are in the order of time, together
with the timeline. On AWS the command prints the query that finds the lines in CloudWatch Logs, without running it, and
--follow prints the timeline only.

Examples:
  showrunner logs launch-webinar-20261122 --level warn
  showrunner logs launch-webinar-20261122 --follow`

export const logsCommand = () =>
  withTarget(new Command('logs').description('print the timeline of a show and the log lines of its functions'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('-f, --follow', 'print what is added, until the show has ended or Ctrl-C')
    .addOption(new Option('--level <level>', 'lowest level of the log lines').choices(logLevels).default('info'))
    .option('--reads', 'include reads of the API, such as those of the console')
    .option(
      '--json',
      'print only { showId, timeline, lines } (local) or { showId, timeline, query } (AWS), as JSON; with --follow one { event } or { line } each',
    )
    .addHelpText('after', HELP)
    .action((showId: string, options: Options) => interruptible((signal) => runLogs(showId, options, signal)))

async function runLogs(
  showId: string,
  { follow, level, reads = false, json = false, ...where }: Options,
  signal: AbortSignal,
): Promise<void> {
  const target = await findTarget(where)
  const { shows } = createShowApi(target.access)
  const choice = { level, reads }
  if (follow) {
    const directory = target.kind === 'local' ? target.directory : undefined
    return followShowLog({ showId, shows, directory, choice, json, signal, stream: process.stdout })
  }
  const { timeline, acceptedAt, endedAt } = await shows.get(showId)
  const print = (document: object, lines: readonly string[]) =>
    printResult(json, { showId, timeline, ...document }, [...timelineLines(timeline), '', ...lines])
  if (target.kind === 'local') {
    const lines = linesOfShow(showId, await readFunctionLog(target.directory))
    const entries = selectEntries(entriesOf(lines), choice)
    const written = groupedLines(entries, hasColors(process.stdout))
    print({ lines }, written.length > 0 ? written : ['Its functions logged nothing about it.'])
    return
  }
  const query = logQueryOf({ showId, stage: target.stage, acceptedAt, endedAt, now: realClock.now() })
  print({ query }, [
    'The lines of its functions are in CloudWatch Logs. Run this query in the region of the stack:',
    ...query.commands,
  ])
}
