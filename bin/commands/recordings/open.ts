import { Command } from 'commander'
import { findBrowser } from '../../local/browser.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { titleOf } from '../../recordings/file-names.ts'
import { findRecordings } from '../../recordings/find-recordings.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const openCommand = () =>
  withTarget(new Command('open').description('open the watch page of a recording in the browser, and print its link'))
    .argument('<id>', 'id of the archive, or of a show: its first recording is opened', parseArchiveId)
    .option('--json', 'print only { items: [{ archiveId, title, watch }] }, as JSON, and open nothing')
    .addHelpText('after', '\nExample:\n  showrunner recordings open launch-webinar-20261122')
    .action(runOpen)

async function runOpen(id: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const found = await findRecordings(createShowApi((await findTarget(where)).access), id)
  const items = found.flatMap((named) =>
    named.recording.status === 'failed'
      ? []
      : [{ archiveId: named.recording.archiveId, title: titleOf(named), watch: named.recording.watch.url }],
  )
  const [first] = items
  if (!first) throw new Error(`The recording ${id} cannot be watched: ${found[0]?.recording.message ?? 'it failed.'}`)
  printResult(
    json,
    { items },
    items.map(({ title, watch }) => `${title}\n  ${watch}`),
  )
  if (json) return
  const browser = await findBrowser().catch(() => undefined)
  if (browser) browser.open(first.watch)
  else process.stderr.write('No program that opens the browser was found in PATH. Open the link yourself.\n')
}
