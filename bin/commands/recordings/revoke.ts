import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const revokeCommand = () =>
  withTarget(new Command('revoke').description('revoke every link to the watch page, and make a recording private'))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner recordings revoke 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001')
    .action(runRevoke)

async function runRevoke(archiveId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const answer = await createShowApi((await findTarget(where)).access).recordings.revokeLinks(archiveId)
  printResult(json, answer, [`The links were revoked of: ${answer.revoked.join(', ')}.`])
}
