import { Command } from 'commander'
import { staleDocuments, writeDocuments } from '../../docs/documents.ts'

export const docsCommand = () =>
  new Command('docs')
    .description('write the generated documents under docs/ from the code')
    .option('--check', 'write nothing; fail when a document is not what the code says')
    .action(({ check = false }) => {
      if (check) checkDocuments()
      else announce(writeDocuments())
    })

function checkDocuments(): void {
  const stale = [...staleDocuments().keys()]
  if (stale.length > 0)
    throw new Error(`Run npm run docs: ${stale.join(', ')} ${stale.length > 1 ? 'are' : 'is'} out of date.`)
  announce([])
}

const announce = (written: readonly string[]) =>
  process.stdout.write(written.length > 0 ? `Wrote ${written.join(', ')}.\n` : 'Every document is up to date.\n')
