import { join, relative } from 'node:path'
import { Command } from 'commander'
import { root } from '../../local/root.ts'
import { buildPackage } from '../../package/build.ts'

export const buildCommand = () =>
  new Command('build')
    .description('build the package showrunner in dist/: command line, clients, and verifiers of callbacks')
    .action(runBuild)

async function runBuild(): Promise<void> {
  const directory = join(root, 'dist')
  await buildPackage(directory)
  const where = `./${relative(process.cwd(), directory)}`
  process.stdout.write(`Built ${where}. Run npm pack ${where} for a file that npm install accepts in an event app.\n`)
}
