import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { readFunctionLog } from '../../local/function-log.ts'
import { linesOfShow } from '../../operations/lines-of-show.ts'
import { logQueryOf } from '../../operations/log-query.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { timelineLines } from '../../operations/terminal-text.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const logsCommand = () =>
  withTarget(new Command('logs').description('print the timeline of a show and the log lines of its functions'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--json', 'print only { showId, timeline, lines } (local) or { showId, timeline, query } (AWS), as JSON')
    .addHelpText('after', '\nOn AWS it prints the query that finds the lines in CloudWatch Logs, without running it.')
    .action(runLogs)

async function runLogs(showId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const target = await findTarget(where)
  const { timeline, acceptedAt, endedAt } = await createShowApi(target.access).shows.get(showId)
  const print = (document: object, lines: readonly string[]) =>
    printResult(json, { showId, timeline, ...document }, [...timelineLines(timeline), '', ...lines])
  if (target.kind === 'local') {
    const lines = linesOfShow(showId, await readFunctionLog(target.directory))
    const written = lines.map(({ at, name, text }) => `${at} ${name} ${text}`)
    print({ lines }, written.length > 0 ? written : ['Its functions logged nothing about it.'])
    return
  }
  const query = logQueryOf({ showId, stage: target.stage, acceptedAt, endedAt, now: realClock.now() })
  print({ query }, [
    'The lines of its functions are in CloudWatch Logs. Run this query in the region of the stack:',
    ...query.commands,
  ])
}
