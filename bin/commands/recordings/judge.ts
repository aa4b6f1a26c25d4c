import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

const REMARK =
  '\nA file is withheld if it was uploaded in place of a published one and differs from the record of the platform.'

export const acceptCommand = () => judgement('accept', 'publish the withheld file in place of the published one')

export const rejectCommand = () => judgement('reject', 'delete the withheld file and keep the published one')

const judgement = (decision: 'accept' | 'reject', description: string) =>
  withTarget(new Command(decision).description(description))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText(
      'after',
      `${REMARK}\n\nExample:\n  showrunner recordings ${decision} 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001`,
    )
    .action((archiveId: string, options: TargetOptions & { json?: boolean }) => runJudge(decision, archiveId, options))

async function runJudge(
  decision: 'accept' | 'reject',
  archiveId: string,
  { json, ...where }: TargetOptions & { json?: boolean },
): Promise<void> {
  const { recordings } = createShowApi((await findTarget(where)).access)
  const { withheld } = await recordings.get(archiveId)
  if (!withheld) throw new Error(`The recording ${archiveId} has no withheld file to ${decision}.`)
  const { etag } = withheld
  const answer = await (decision === 'accept'
    ? recordings.acceptFile(archiveId, { etag })
    : recordings.rejectFile(archiveId, { etag }))
  printResult(json, answer, [`The withheld file: ${answer.outcome}.`])
}
