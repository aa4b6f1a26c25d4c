import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SQSClient } from '@aws-sdk/client-sqs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { ownerCallback } from '../../../lib/events/owner-callback-format.ts'
import { type OwnerEvent, ownerEventKinds } from '../../../lib/events/owner-events.ts'
import { disposable } from '../../local/aws-access.ts'
import { interruptible, isInterruption } from '../../local/interruption.ts'
import { directoryHelp } from '../../local/local-file.ts'
import { deliveryLine } from '../../operations/listen/delivery-line.ts'
import { deliveryBounds, type ForwardedDelivery, forwardEvents } from '../../operations/listen/forward-events.ts'
import { createForwarder } from '../../operations/listen/forwarder.ts'
import { listenNames, removeLeftovers } from '../../operations/listen/leftovers.ts'
import { subscribe } from '../../operations/listen/subscription.ts'
import {
  findStack,
  isWithoutCredentials,
  NO_CREDENTIALS,
  type StackAccess,
  type StackOptions,
} from '../../operations/stack-access.ts'
import { directoryOption, parseShowId, wholeNumber } from '../../parsers.ts'

interface Options extends StackOptions {
  readonly forwardTo: string
  readonly events?: readonly string[]
  readonly show?: string
  readonly retry?: number
  readonly json?: boolean
}

/** Seconds of long polling. The local AWS has none. */
const WAIT = { local: 0, deployment: 20 } as const

const HELP = `
The app receives the same bodies and headers as from the deployment, also for shows without a callback. They are signed with
the keys of the deployment for the URL of --forward-to: set CALLBACK_URL of the app to it. Set CALLBACK_SECRET here to sign the
header Authorization with another secret than the deployment's.

Events are read by a temporary rule and queue, which are removed at Ctrl-C. After a kill, the next listen of the same user on
this machine removes them.

Example:
  showrunner listen --stage prod --forward-to http://localhost:3000/showrunner --events show.ended`

export const listenCommand = () =>
  new Command('listen')
    .description('forward the callbacks of a deployment to an app on this machine, until Ctrl-C')
    .requiredOption('--forward-to <url>', 'URL of the app, such as http://localhost:3000/showrunner', parseUrl)
    .addOption(new Option('--events <name...>', 'only these events (default: all)').choices(ownerEventKinds))
    .option('--show <id>', 'only events of this show', parseShowId)
    .option(
      '--retry <seconds>',
      `repeat what the app did not accept, where the deployment would, up to ${deliveryBounds.maxAttempts} attempts within an hour (default: never)`,
      wholeNumber(1, 3600),
    )
    .option('--stage <name>', 'deployment from this checkout, with the credentials of the AWS CLI')
    .addOption(directoryOption(`without --stage: ${directoryHelp}`))
    .option(
      '--json',
      'print one { id, event, showId, attempt, status, ms, problem, givenUp } as JSON for each delivery',
    )
    .addHelpText('after', HELP)
    .action((options: Options) => interruptible((signal) => runListen(options, signal)))

/** @throws InvalidArgumentError for a text that is not an http or https URL */
function parseUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new InvalidArgumentError('It must be a URL, such as http://localhost:3000/showrunner.')
}

async function runListen({ forwardTo: url, events, show, retry, json, ...where }: Options, signal: AbortSignal) {
  const { kind, outputs, config } = await findStack(where)
  using bridge = disposable(new EventBridgeClient(config))
  using sqs = disposable(new SQSClient(config))
  using manager = disposable(new SecretsManagerClient(config))
  const clock = realClock
  const secret = process.env.CALLBACK_SECRET
  if (secret !== undefined && secret.length < ownerCallback.minSecretLength)
    throw new Error(`CALLBACK_SECRET is too short: it needs ${ownerCallback.minSecretLength} characters.`)
  const forward = await createForwarder({ url, outputs, manager, clock, secret }).catch(refuse)
  const clients = { bridge, sqs }
  const names = listenNames(busOf(outputs))
  const left = await removeLeftovers(clients, names.bus).catch(refuse)
  if (left > 0) report('Removed what a former listen had left.')
  const subscription = await subscribe(clients, names, { events, showId: show }).catch(refuse)
  try {
    report(`Forwarding events of ${nameOf(kind, where)} to ${url}. Ctrl-C stops it.`)
    const onDelivery = json ? printJson : printLine
    await forwardEvents({ subscription, forward, retry, wait: WAIT[kind], clock, signal, onDelivery })
  } catch (error) {
    if (!isInterruption(error))
      throw new Error(`No more events can be read (${reasonOf(error as Error)}). Start listen again.`, { cause: error })
  } finally {
    await subscription.close().catch((error: Error) => {
      report(`The rule ${names.rule} and the queue ${names.queue} could not be removed (${reasonOf(error)}).`)
      report('The next listen on this machine removes them.')
    })
  }
  process.exitCode = 0 // Ctrl-C is the normal way to stop it
}

const report = (line: string) => void process.stderr.write(`${line}\n`)

function busOf({ EventBusName }: StackAccess['outputs']): string {
  if (EventBusName) return EventBusName
  throw new Error('The outputs of the stack have no EventBusName. Deploy it again.')
}

const nameOf = (kind: StackAccess['kind'], { stage }: StackOptions) =>
  kind === 'local' ? 'this machine' : `the stage ${stage}`

/** Reports an error of AWS by its name where it has no message. */
const reasonOf = ({ name, message, code }: Error & { code?: string }) => message || code || name

function refuse(error: Error): never {
  const cause = error instanceof SuppressedError ? (error.suppressed as Error) : error // of what was being removed after it
  if (isWithoutCredentials(cause)) throw new Error(NO_CREDENTIALS, { cause })
  throw new Error(`The events cannot be read (${reasonOf(cause)}).`, { cause })
}

function printJson({ id, event, showId }: OwnerEvent, delivery: ForwardedDelivery, attempt: number): void {
  const { status, ms, problem, isGivenUp } = delivery
  const line = { id, event, showId, attempt, status, ms, problem, ...(isGivenUp && { givenUp: true }) }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const printLine = (event: OwnerEvent, delivery: ForwardedDelivery, attempt: number): void =>
  void process.stdout.write(`${deliveryLine(event, delivery, attempt)}\n`)
