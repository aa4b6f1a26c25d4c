import { Command } from 'commander'
import { controlLines } from '../../controls/control-lines.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly type: string
  readonly to?: string
  readonly json?: boolean
}

export const sayCommand = () =>
  withTarget(new Command('say').description('send a message to the participants of a show, as a signal'))
    .argument('<id>', 'id of the show', parseShowId)
    .argument('<text>', 'the message')
    .option('--type <type>', 'type of the signal, by which apps distinguish signals; the join page shows chat', 'chat')
    .option('--to <connection>', 'id of the connection that receives it (default: all participants)')
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner say launch-webinar-20261122 "Five minutes left."')
    .action(runSay)

async function runSay(showId: string, data: string, { type, to, json, ...where }: Options): Promise<void> {
  const { controls } = createShowApi((await findTarget(where)).access)
  const answer = await controls.signal(showId, { type, data, ...(to !== undefined && { connectionId: to }) })
  const receiver = to === undefined ? 'every participant' : `the connection ${to}`
  printResult(json, answer, controlLines(answer, `Sent to ${receiver}.`))
}
