import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { streamTable } from '../../controls/find-stream.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { showLines, timelineLines } from '../../operations/terminal-text.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const showCommand = () =>
  withTarget(new Command('show').description('print the progress, the timeline and the outcome of a show'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--streams', 'print only what is published in its session now')
    .option('--json', 'print only the answer of the API, as JSON, with times in UTC')
    .addHelpText(
      'after',
      '\nTimes are in the zone of this machine.\n\nExample:\n  showrunner show launch-webinar-20261122',
    )
    .action(runShow)

interface Options extends TargetOptions {
  readonly streams?: boolean
  readonly json?: boolean
}

async function runShow(showId: string, { streams, json, ...where }: Options): Promise<void> {
  const { access } = await findTarget(where)
  const { shows } = createShowApi(access)
  if (streams) {
    const answer = await shows.streams(showId)
    return printResult(json, answer, streamTable(answer.items))
  }
  const answer = await shows.get(showId)
  printResult(json, answer, [...showLines(answer, realClock.now()), '', ...timelineLines(answer.timeline)])
}
