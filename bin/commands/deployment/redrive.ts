import { Command } from 'commander'
import { interruptible } from '../../local/interruption.ts'
import { directoryHelp } from '../../local/local-file.ts'
import {
  countMessages,
  deadLettersOf,
  findDeadLetters,
  type WaitingMessages,
} from '../../operations/redrive/dead-letters.ts'
import { type Redriven, redrive } from '../../operations/redrive/redrive.ts'
import {
  findStack,
  isWithoutCredentials,
  NO_CREDENTIALS,
  type StackAccess,
  type StackOptions,
} from '../../operations/stack-access.ts'
import { columns } from '../../operations/terminal-text.ts'
import { directoryOption } from '../../parsers.ts'
import { printResult } from '../../print.ts'

type Options = StackOptions & { readonly json?: boolean }

/** Seconds of long polling. On AWS, short polling may miss messages. */
const WAIT = { local: 0, deployment: 5 } as const

export const redriveCommand = () =>
  new Command('redrive')
    .description('redeliver the messages of a dead-letter queue; without a queue, list the queues')
    .argument('[queue]', 'function or trigger of the queue, such as StartPublish')
    .option('--stage <name>', 'deployment from this checkout, with the credentials of the AWS CLI')
    .addOption(directoryOption(`without --stage: ${directoryHelp}`))
    .option('--json', 'print only { queue, redriven, left }, or without a queue { queues }, as JSON')
    .addHelpText(
      'after',
      '\nA message is deleted once its function or state machine has accepted it. If it fails again, it returns to the queue,\nafter at least three minutes for a function. Duplicate deliveries do no harm.',
    )
    .action((queue: string | undefined, options: Options) =>
      interruptible((signal) => runRedrive(queue, options, signal)),
    )

async function runRedrive(queue: string | undefined, { json, ...where }: Options, signal: AbortSignal): Promise<void> {
  const stack = await findStack(where)
  if (queue === undefined) {
    const queues = await listQueues(stack)
    return printResult(json, { queues }, toTable(queues))
  }
  const outcome = await redeliver(queue, stack, signal)
  if (outcome.left.length > 0) process.exitCode = 1
  printResult(json, { queue, ...outcome }, toLines(queue, outcome))
}

const listQueues = ({ outputs, config }: StackAccess) => countMessages(deadLettersOf(outputs), config).catch(refuse)

const redeliver = (queue: string, { kind, outputs, config }: StackAccess, signal: AbortSignal) =>
  redrive(findDeadLetters(outputs, queue), { config, wait: WAIT[kind], signal }).catch(refuse)

function refuse(cause: Error): never {
  const message = isWithoutCredentials(cause) ? NO_CREDENTIALS : `The queue cannot be read (${cause.message}).`
  throw new Error(message, { cause })
}

const toTable = (queues: readonly WaitingMessages[]) =>
  columns([
    ['QUEUE', 'WAITING', 'BEING HANDLED'],
    ...queues.map(({ name, waiting, beingHandled }) => [name, String(waiting), String(beingHandled)]),
  ])

function toLines(queue: string, { redriven, left }: Redriven): string[] {
  if (redriven === 0 && left.length === 0) return [`The queue of ${queue} is empty.`]
  const taken = `${redriven} ${redriven === 1 ? 'message was' : 'messages were'} redelivered.`
  if (left.length === 0) return [taken]
  const reasons = left.map(({ messageId, reason }) => [messageId, reason])
  return [
    taken,
    `${left.length} could not be redelivered and ${left.length === 1 ? 'stays' : 'stay'} in the queue:`,
    ...columns(reasons),
  ]
}
