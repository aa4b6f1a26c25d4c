import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { secretDestination } from '../../../lib/show/document/secret-destination.ts'
import { parseReference, type SecretReference, secretReference } from '../../../lib/show/document/secret-reference.ts'
import { readSecretValue } from '../../local/hidden-input.ts'
import { directoryHelp, findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { type ShowSecret, setShowSecret } from '../../local/show-secrets.ts'
import { directoryOption } from '../../parsers.ts'
import { printResult } from '../../print.ts'

const REMARK = `
A show refers to the value as { "secret": "name#key" }. It is sent to the listed servers only, such as
rtmps://a.rtmps.youtube.com/, sips:example.com or https://app.example.com/. A server with rtmp:, sip: or http: also allows
sending it unencrypted.`

const jsonHelp = 'print only { secret }, the reference of a show to it, as JSON'

interface Options {
  readonly directory: string
  readonly json?: boolean
}

export const secretCommand = () =>
  new Command('secret')
    .description('store secrets for shows on this machine')
    .addCommand(
      new Command('set')
        .description('store a value from standard input under a key of a secret')
        .argument('<name>', 'name of the secret')
        .argument('<key>', 'key in the secret')
        .option(
          '--for <server>',
          'server to which it may be sent; repeatable (default: the servers listed before)',
          addServer,
        )
        .addOption(directoryOption(directoryHelp))
        .option('--json', jsonHelp)
        .addHelpText('after', `${REMARK} A line break at the end of the value is removed.`)
        .action(runSecretSet),
    )
    .addCommand(
      new Command('bind')
        .description('replace the list of servers that a value may be sent to')
        .argument('<name>', 'name of the secret')
        .argument('<key>', 'key in the secret')
        .argument('<server...>', 'servers to which it may be sent', addServer)
        .addOption(directoryOption(directoryHelp))
        .option('--json', jsonHelp)
        .addHelpText('after', REMARK)
        .action(runSecretBind),
    )

async function runSecretSet(
  name: string,
  key: string,
  { directory, json, for: destinations }: Options & { readonly for?: readonly string[] },
): Promise<void> {
  const reference = referenceTo(name, key)
  const store = await openStore(directory)
  const value = await readSecretValue(`Value of ${reference.secret}, which is not shown: `)
  if (!value) throw new Error('The value is empty. Pass it on standard input.')
  await store({ ...parseReference(reference), value, destinations })
  printResult(json, reference, [`Stored. A show refers to it as ${JSON.stringify(reference)}.`])
}

async function runSecretBind(
  name: string,
  key: string,
  destinations: readonly string[],
  { directory, json }: Options,
): Promise<void> {
  const reference = referenceTo(name, key)
  await (await openStore(directory))({ ...parseReference(reference), destinations })
  printResult(json, reference, [`${reference.secret} is sent to ${destinations.join(' and ')} only.`])
}

function referenceTo(name: string, key: string): SecretReference {
  const parsed = secretReference.safeParse({ secret: `${name}#${key}` })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code !== 'invalid_format') throw new Error(`${name}#${key} ${issue?.message}.`)
  if (!secretReference.safeParse({ secret: `${name}#key` }).success)
    throw new Error(`The name ${name} cannot be used. ${lettersAnd(200, '/_+=.@-')}`)
  throw new Error(`The key ${key} cannot be used. ${lettersAnd(100, '_.-')}`)
}

/** Returns the rule of a name. @param others characters beside letters and digits */
const lettersAnd = (max: number, others: string) =>
  `It must have 1 to ${max} letters, digits or characters of ${others}`

async function openStore(directory: string): Promise<(secret: ShowSecret) => Promise<void>> {
  const { awsAccess, outputs } = await findRunningLocal(localFileOf(resolve(directory)))
  return (secret) => setShowSecret(awsAccess, outputs.ShowSecretsPrefix ?? '', secret)
}

function addServer(server: string, servers: readonly string[] = []): readonly string[] {
  const parsed = secretDestination.safeParse(server)
  if (!parsed.success) throw new InvalidArgumentError(`${server} ${parsed.error.issues[0]?.message}.`)
  return [...servers, server]
}
