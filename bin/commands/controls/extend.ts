import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { controlLines } from '../../controls/control-lines.ts'
import { type NewEnd, parseEnd } from '../../controls/parse-end.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi, type ShowApi } from '../../shows/show-api.ts'

export const extendCommand = () =>
  withTarget(new Command('extend').description('move the end of a live show'))
    .argument('<id>', 'id of the show', parseShowId)
    .argument('<time>', 'a duration to add, such as +15m, or the new end, such as 19:30', (text) =>
      parseEnd(text, realClock.now()),
    )
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText(
      'after',
      `
A time before the planned end shortens the show. \`stop\` ends it at once.

Examples:
  showrunner extend launch-webinar-20261122 +15m
  showrunner extend launch-webinar-20261122 19:30`,
    )
    .action(runExtend)

async function runExtend(
  showId: string,
  end: NewEnd,
  { json, ...where }: TargetOptions & { json?: boolean },
): Promise<void> {
  const { shows, controls } = createShowApi((await findTarget(where)).access)
  const endsAt = 'at' in end ? end.at : (await plannedEndOf(shows, showId)) + end.seconds * 1000
  const answer = await controls.change(showId, { endsAt: new Date(endsAt).toISOString() })
  printResult(json, answer, controlLines(answer, `The end of show ${showId} is moved.`))
}

async function plannedEndOf(shows: ShowApi['shows'], showId: string): Promise<number> {
  const { status, plannedEndAt } = await shows.get(showId)
  if (plannedEndAt && status === 'live') return Date.parse(plannedEndAt)
  throw new Error(`The show ${showId} is ${status}. Only a live show can be extended.`)
}
