import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { showLines, timelineLines } from '../../operations/terminal-text.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const showCommand = () =>
  withTarget(new Command('show').description('print the progress, the timeline and the outcome of a show'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--json', 'print only the answer of the API, as JSON, with times in UTC')
    .addHelpText(
      'after',
      '\nTimes are in the zone of this machine.\n\nExample:\n  showrunner show launch-webinar-20261122',
    )
    .action(runShow)

async function runShow(showId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const { access } = await findTarget(where)
  const answer = await createShowApi(access).shows.get(showId)
  printResult(json, answer, [...showLines(answer, realClock.now()), '', ...timelineLines(answer.timeline)])
}
