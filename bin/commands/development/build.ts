import { join, relative } from 'node:path'
import { Command } from 'commander'
import { root } from '../../local/root.ts'
import { buildPackage } from '../../package/build.ts'

export const buildCommand = () =>
  new Command('build')
    .description('build dist/: the platform’s client and the verifiers of callbacks as the package showrunner')
    .action(async () => {
      const directory = join(root, 'dist')
      await buildPackage(directory)
      const where = `./${relative(process.cwd(), directory)}`
      process.stdout.write(`Built ${where}: npm pack ${where} makes a file that npm install takes in an event app.\n`)
    })
