import { Command } from 'commander'
import { controlLines } from '../../controls/control-lines.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

type Options = TargetOptions & { readonly json?: boolean }

export const pauseCommand = () =>
  withRecording('pause', 'pause a recording of a live show')
    .addHelpText('after', '\nNothing is recorded until `resume`. The parts are published as one recording.')
    .addHelpText('after', '\nExample:\n  showrunner pause launch-webinar-20261122 program')
    .action(runPause)

export const resumeCommand = () =>
  withRecording('resume', 'resume a recording that is paused')
    .addHelpText('after', '\nIt also ends a planned pause early.')
    .addHelpText('after', '\nExample:\n  showrunner resume launch-webinar-20261122 program')
    .action(runResume)

const withRecording = (name: string, description: string) =>
  withTarget(new Command(name).description(description))
    .argument('<id>', 'id of the show', parseShowId)
    .argument('<recording>', 'name of the recording in the show')
    .option('--json', 'print only the answer of the API, as JSON')

async function runPause(showId: string, recording: string, { json, ...where }: Options): Promise<void> {
  const { controls } = createShowApi((await findTarget(where)).access)
  const answer = await controls.pauseRecording(showId, recording)
  printResult(json, answer, controlLines(answer, `The recording ${recording} is paused.`))
}

async function runResume(showId: string, recording: string, { json, ...where }: Options): Promise<void> {
  const { controls } = createShowApi((await findTarget(where)).access)
  const answer = await controls.resumeRecording(showId, recording)
  printResult(json, answer, controlLines(answer, `The recording ${recording} has resumed.`))
}
