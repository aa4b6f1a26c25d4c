import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager'
import type { SFNClientConfig } from '@aws-sdk/client-sfn'
import { Argument, Command } from 'commander'
import { interruptible } from '../../local/interruption.ts'
import { directoryHelp } from '../../local/local-file.ts'
import { type Rotatable, replace, revoke, rotatable, rotate, secretOf } from '../../operations/rotation.ts'
import { findStack, type StackOptions } from '../../operations/stack-access.ts'
import { directoryOption, wholeNumber } from '../../parsers.ts'
import { printResult } from '../../print.ts'

interface Options extends StackOptions {
  readonly secret?: string
  readonly wait?: number
  readonly revoke?: true
  readonly json?: boolean
}

export const rotateCommand = () =>
  new Command('rotate')
    .description('replace a secret now instead of on schedule, without downtime')
    .addArgument(new Argument('<what>', 'secret to replace').choices(Object.keys(rotatable)))
    .option('--stage <name>', 'deployment from this checkout, with the credentials of the AWS CLI')
    .option('--secret <arn>', 'secret of any deployment, by its ARN in the outputs of the stack')
    .option('--revoke', 'deactivate the former upload keys at once, even if an upload is using one')
    .option('--wait <seconds>', 'wait until it is done, and fail if it takes longer', wholeNumber(0, 99_999))
    .addOption(directoryOption(`without --stage and --secret: ${directoryHelp}`))
    .option('--json', 'print only { secret, versionId, done }, as JSON; done is null without --wait')
    .addHelpText(
      'after',
      '\nThe project secret waits until every show is settled, about 16 minutes after its end. Secrets Manager runs the steps\nautomatically.',
    )
    .action((what: Rotatable, options: Options) => interruptible((signal) => runRotate(what, options, signal)))

/** Effects of replacing a value at once. */
const consequences: Partial<Record<Rotatable, string>> = {
  'watch-secret': 'Every link that it signed expires within a minute.',
  'callback-key': 'It signs in an hour, when every app has its public key. The former public key stays published.',
}

async function runRotate(what: Rotatable, options: Options, signal: AbortSignal): Promise<void> {
  const { secret, config } = await find(what, options)
  if (rotatable[what].setting === undefined) {
    const { versionId } = await replace(what, secret, config)
    const message = `The ${what} is replaced by version ${versionId}. ${consequences[what]}`
    return printResult(options.json, { secret, versionId, done: true }, [message])
  }
  if (options.revoke) return revokeKey(what, secret, config, options, signal)
  const rotation = await rotate(what, secret, config)
  const { wait, json } = options
  const done = wait === undefined ? null : await rotation.finished(wait, signal)
  if (done === false) process.exitCode = 1
  const { versionId } = rotation
  printResult(json, { secret, versionId, done }, [messageFor(what, versionId, done)])
}

/** Seconds. A rotation takes up to two minutes, mostly for IAM. */
const REVOKE_TIMEOUT = 300

async function revokeKey(
  what: Rotatable,
  secret: string,
  config: SecretsManagerClientConfig & SFNClientConfig,
  { wait: seconds = REVOKE_TIMEOUT, json }: Options,
  signal: AbortSignal,
): Promise<void> {
  if (what !== 'upload-key')
    throw new Error(`Only the upload-key has former values that stay valid. Rotate ${what} without --revoke.`)
  const { versionId, deactivated } = await revoke(secret, config, { seconds, signal })
  const message = `The upload-key is replaced by version ${versionId}. Deactivated: ${deactivated.join(', ') || 'no other key'}.`
  printResult(json, { secret, versionId, done: true, deactivated }, [message])
}

function messageFor(what: Rotatable, versionId: string, done: boolean | null): string {
  if (done) return `The ${what} is replaced by version ${versionId}.`
  const started = `The rotation of the ${what} to version ${versionId} has started.`
  return done === null ? started : `${started} It is not done yet and continues automatically.`
}

async function find(what: Rotatable, { stage, secret, directory }: Options) {
  if (secret) {
    const region = /^arn:[\w-]+:secretsmanager:([\w-]+):\d{12}:secret:/.exec(secret)?.[1]
    if (!region)
      throw new Error(
        `${secret} is not the ARN of a secret. It must have the form arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME.`,
      )
    return { secret, config: { region } }
  }
  const { outputs, config } = await findStack({ stage, directory })
  return { secret: secretOf(what, outputs), config }
}
