import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { parseReference, secretReference } from '../../lib/workflow/orders/secret-reference.ts'
import { findRunningLaptop, localFileOf } from '../laptop/local-file.ts'
import { stateDirectory } from '../laptop/root.ts'
import { setShowSecret } from '../laptop/show-secrets.ts'

export const secretCommand = () =>
  new Command('secret')
    .description('keep what shows on this machine refer to')
    .addCommand(
      new Command('set')
        .description('put a value, read from standard input, under a key of a secret')
        .argument('<name>', 'of the secret')
        .argument('<key>', 'in the secret')
        .option('--directory <dir>', 'the one given to `npm start`', stateDirectory)
        .addHelpText('after', '\nA show refers to it as { "secret": "name#key" }. A line break at the end is left out.')
        .action(setSecret),
    )

async function setSecret(name: string, key: string, { directory }: { directory: string }): Promise<void> {
  const parsed = secretReference.safeParse({ secret: `${name}#${key}` })
  if (!parsed.success) throw new Error(`${name}#${key} ${parsed.error.issues[0]?.message}.`)
  const { awsAccess, outputs } = await findRunningLaptop(localFileOf(resolve(directory)))
  if (process.stdin.isTTY) process.stderr.write('Type the value, then Enter and Ctrl-D.\n')
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!value) throw new Error('The value is empty: give it on standard input.')
  await setShowSecret(awsAccess, outputs.ShowSecretsPrefix ?? '', { ...parseReference(parsed.data), value })
  process.stdout.write(`Kept. A show refers to it as ${JSON.stringify(parsed.data)}.\n`)
}
