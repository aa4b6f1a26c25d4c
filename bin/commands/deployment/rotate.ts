import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager'
import type { SFNClientConfig } from '@aws-sdk/client-sfn'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { interruptible } from '../../local/interruption.ts'
import { stateDirectory } from '../../local/root.ts'
import { type Rotatable, replace, revoke, rotatable, rotate, secretOf } from '../../operations/rotation.ts'
import { findStack } from '../../operations/stack-access.ts'

interface Options {
  readonly stage?: string
  readonly secret?: string
  readonly wait?: number
  readonly revoke?: true
  readonly directory: string
  readonly json?: boolean
}

export const rotateCommand = () =>
  new Command('rotate')
    .description('replace a secret now, without a gap, instead of waiting for its schedule')
    .addArgument(new Argument('<what>', 'which one').choices(Object.keys(rotatable)))
    .option('--stage <name>', 'of a deployment made from this checkout, with the credentials that the AWS CLI uses')
    .option('--secret <arn>', 'of any deployment: the ARN of the secret, as the stack’s outputs name it')
    .option('--revoke', 'of the upload key: keep the former one from being used at once, whatever is being uploaded')
    .option('--wait <seconds>', 'wait for it to be done, and fail when it is not', parseSeconds)
    .option('--directory <dir>', 'without either: the running laptop, by what was given to `npm start`', stateDirectory)
    .option('--json', 'print { secret, versionId, done } and nothing else; done is null without --wait')
    .addHelpText(
      'after',
      '\nThe secret of the project waits until every show is settled, about 16 minutes after its end. Secrets Manager goes through\nthe steps by itself.',
    )
    .action((what: Rotatable, options: Options) => interruptible((signal) => run(what, options, signal)))

/** Effects of putting another value at once. */
const consequences: Partial<Record<Rotatable, string>> = {
  'watch-secret': 'Every link that it has signed ends within a minute.',
  'callback-key': 'It signs in an hour, when every app has its public half; the former one stays published.',
}

async function run(what: Rotatable, options: Options, signal: AbortSignal): Promise<void> {
  const { secret, config } = await find(what, options)
  if (rotatable[what].setting === undefined) {
    const { versionId } = await replace(what, secret, config)
    const words = `The ${what} is replaced: its version is ${versionId} now. ${consequences[what]}`
    process.stdout.write(
      options.json ? `${JSON.stringify({ secret, versionId, done: true }, null, 2)}\n` : `${words}\n`,
    )
    return
  }
  if (options.revoke) return revokeKey(what, secret, config, options, signal)
  const rotation = await rotate(what, secret, config)
  const { wait, json } = options
  const done = wait === undefined ? null : await rotation.finished(wait, realClock, signal)
  if (done === false) process.exitCode = 1
  const { versionId } = rotation
  process.stdout.write(
    json ? `${JSON.stringify({ secret, versionId, done }, null, 2)}\n` : `${wordsFor(what, versionId, done)}\n`,
  )
}

/** Seconds: a rotation takes up to two minutes, most of which IAM takes. */
const REVOKED_WITHIN = 300

async function revokeKey(
  what: Rotatable,
  secret: string,
  config: SecretsManagerClientConfig & SFNClientConfig,
  { wait: seconds = REVOKED_WITHIN, json }: Options,
  signal: AbortSignal,
): Promise<void> {
  if (what !== 'upload-key')
    throw new Error(`Only the upload-key has former values that stay good: rotate ${what} without --revoke.`)
  const { versionId, deactivated } = await revoke(secret, config, { seconds, clock: realClock, signal })
  const words = `The upload-key is replaced: its version is ${versionId} now. Deactivated: ${deactivated.join(', ') || 'no other key'}.`
  process.stdout.write(
    json ? `${JSON.stringify({ secret, versionId, done: true, deactivated }, null, 2)}\n` : `${words}\n`,
  )
}

function wordsFor(what: Rotatable, versionId: string, done: boolean | null): string {
  if (done) return `The ${what} is replaced: its version is ${versionId} now.`
  const words = `The rotation of the ${what} has begun; it will be version ${versionId}.`
  return done === null ? words : `${words} It is not done yet, and goes on by itself.`
}

async function find(
  what: Rotatable,
  { stage, secret, directory }: Options,
): Promise<{ secret: string; config: SecretsManagerClientConfig }> {
  if (secret) {
    const region = /^arn:[\w-]+:secretsmanager:([\w-]+):\d{12}:secret:/.exec(secret)?.[1]
    if (!region) throw new Error(`${secret} is no ARN of a secret: arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME.`)
    return { secret, config: { region } }
  }
  const { outputs, config } = await findStack({ stage, directory })
  return { secret: secretOf(what, outputs), config }
}

function parseSeconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
}
