import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { recordingLines } from '../../recordings/recording-lines.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const showRecordingCommand = () =>
  withTarget(new Command('show').description('print a published recording, its files and its watch link'))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner recordings show 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001')
    .action(runShow)

async function runShow(archiveId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const recording = await createShowApi((await findTarget(where)).access).recordings.get(archiveId)
  printResult(json, recording, recordingLines(recording))
}
