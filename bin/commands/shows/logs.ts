import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { readFunctionLog } from '../../local/function-log.ts'
import { linesOfShow } from '../../operations/lines-of-show.ts'
import { logQueryOf } from '../../operations/log-query.ts'
import { parseShowId } from '../../operations/show-id.ts'
import { toTimeline } from '../../operations/show-words.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const logsCommand = () =>
  withTarget(new Command('logs').description('tell what happened in a show, and what its functions wrote'))
    .argument('<id>', 'of the show', parseShowId)
    .option(
      '--json',
      'print { showId, timeline, lines } (laptop) or { showId, timeline, query } (AWS) and nothing else',
    )
    .addHelpText('after', '\nOn AWS the lines lie in CloudWatch Logs: the query that finds them is printed, not run.')
    .action(logs)

async function logs(showId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const target = await findTarget(where)
  const { timeline, acceptedAt, endedAt } = await createShowApi(target.access).read(showId)
  const print = (document: object, words: readonly string[]) =>
    process.stdout.write(
      json
        ? `${JSON.stringify({ showId, timeline, ...document }, null, 2)}\n`
        : `${[...toTimeline(timeline), '', ...words].join('\n')}\n`,
    )
  if (target.kind === 'laptop') {
    const lines = linesOfShow(showId, await readFunctionLog(target.directory))
    const written = lines.map(({ at, name, text }) => `${at} ${name} ${text}`)
    print({ lines }, written.length > 0 ? written : ['Its functions have written nothing about it.'])
    return
  }
  const query = logQueryOf({ showId, stage: target.stage, acceptedAt, endedAt, now: realClock.now() })
  print({ query }, [
    'What its functions wrote lies in CloudWatch Logs; in the region of the stack ask:',
    ...query.commands,
  ])
}
