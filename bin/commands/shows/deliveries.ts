import { Command } from 'commander'
import { deliveryLines } from '../../operations/delivery-lines.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly replay?: string
  readonly json?: boolean
}

export const deliveriesCommand = () =>
  withTarget(new Command('deliveries').description('print the callbacks of a show, or post one again'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--replay <delivery>', 'post the event of this delivery to the callback again')
    .option('--json', 'print only the answer of the API, as JSON, with bodies and every attempt')
    .addHelpText(
      'after',
      `
Times are in the zone of this machine.

Examples:
  showrunner deliveries launch-webinar-20261122
  showrunner deliveries launch-webinar-20261122 --replay 5f0d1c7a9e3b4826b1d7c04e9a8f6253`,
    )
    .action(runDeliveries)

async function runDeliveries(showId: string, { replay, json, ...where }: Options): Promise<void> {
  const { shows } = createShowApi((await findTarget(where)).access)
  if (replay === undefined) {
    const answer = await shows.deliveries(showId)
    return printResult(json, answer, deliveryLines(answer.items))
  }
  const answer = await shows.replay(showId, replay)
  printResult(json, answer, [`The event is posted again. \`deliveries ${showId}\` prints the attempt.`])
}
