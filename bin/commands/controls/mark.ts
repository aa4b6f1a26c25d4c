import { Command } from 'commander'
import { controlLines } from '../../controls/control-lines.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseMoment, parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly at?: number | string
  readonly json?: boolean
}

export const markCommand = () =>
  withTarget(
    new Command('mark').description('set a marker in a live show, at which a chapter of its recordings begins'),
  )
    .argument('<id>', 'id of the show', parseShowId)
    .argument('<label>', 'title of the chapter')
    .option('--at <time>', 'seconds of live time, or a time such as 2026-12-01T19:00:00Z (default: now)', parseMoment)
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner mark launch-webinar-20261122 "Questions"')
    .action(runMark)

async function runMark(showId: string, label: string, { at, json, ...where }: Options): Promise<void> {
  const { controls } = createShowApi((await findTarget(where)).access)
  const answer = await controls.setMarker(showId, { label, ...(at !== undefined && { at }) })
  printResult(json, answer, controlLines(answer, `The marker ${label} is set.`))
}
