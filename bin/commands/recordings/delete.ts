import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'
import { localMinute } from '../../terminal/local-time.ts'

interface Options extends TargetOptions {
  readonly permanently?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

export const deleteCommand = () =>
  withTarget(new Command('delete').description('delete a recording; it can be restored for some days'))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .option('--permanently', 'delete all files and versions at once, and the copy of the platform')
    .option('--yes', 'confirm --permanently, which cannot be undone')
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner recordings delete 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001')
    .action(runDelete)

async function runDelete(archiveId: string, { permanently, yes, json, ...where }: Options): Promise<void> {
  if (permanently && !yes)
    throw new Error(`The recording ${archiveId} could not be restored afterwards. Pass --yes to delete it permanently.`)
  const { recordings } = createShowApi((await findTarget(where)).access)
  const answer = await recordings.delete(archiveId, permanently ? { permanently } : {})
  const { restorableUntil } = answer
  printResult(json, answer, [
    restorableUntil === undefined
      ? `The recording ${archiveId} is deleted permanently.`
      : `The recording ${archiveId} is deleted, and its links stop working. Until ${localMinute(restorableUntil)}, \`recordings restore ${archiveId}\` restores it.`,
  ])
}

export const restoreCommand = () =>
  withTarget(new Command('restore').description('restore a deleted recording'))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner recordings restore 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001')
    .action(runRestore)

async function runRestore(archiveId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const answer = await createShowApi((await findTarget(where)).access).recordings.restore(archiveId)
  printResult(json, answer, [`The recording ${archiveId} is restored (${answer.objects} files).`])
}
