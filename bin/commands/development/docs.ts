import { Command } from 'commander'
import { staleDocuments, writeDocuments } from '../../docs/documents.ts'

export const docsCommand = () =>
  new Command('docs')
    .description('write the generated documents under docs/ from the code')
    .option('--check', 'write nothing; fail if a document differs from the code')
    .action(runDocs)

function runDocs({ check = false }): void {
  if (check) checkDocuments()
  else report(writeDocuments())
}

function checkDocuments(): void {
  const stale = [...staleDocuments().keys()]
  if (stale.length > 0)
    throw new Error(`${stale.join(', ')} ${stale.length > 1 ? 'are' : 'is'} out of date. Run npm run docs.`)
  report([])
}

const report = (written: readonly string[]) =>
  process.stdout.write(written.length > 0 ? `Wrote ${written.join(', ')}.\n` : 'Every document is up to date.\n')
