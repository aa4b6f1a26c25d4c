import { Command } from 'commander'
import { interruptible } from '../../local/interruption.ts'
import { stateDirectory } from '../../local/root.ts'
import {
  countMessages,
  deadLettersOf,
  findDeadLetters,
  type WaitingMessages,
} from '../../operations/redrive/dead-letters.ts'
import { type Redriven, redrive } from '../../operations/redrive/redrive.ts'
import { columns } from '../../operations/show-words.ts'
import { findStack, isWithoutCredentials, NO_CREDENTIALS, type StackAccess } from '../../operations/stack-access.ts'

interface Options {
  readonly stage?: string
  readonly directory: string
  readonly json?: boolean
}

/** Seconds: on AWS a look without a wait may miss messages; a laptop has them all at once. */
const LOOK_FOR = { laptop: 0, deployment: 5 } as const

export const redriveCommand = () =>
  new Command('redrive')
    .description('hand over once more what waits in a dead-letter queue; without a queue, list them')
    .argument('[queue]', 'by whose it is, such as StartPublish')
    .option('--stage <name>', 'of a deployment made from this checkout, with the credentials that the AWS CLI uses')
    .option('--directory <dir>', 'without it: the running laptop, by what was given to `npm start`', stateDirectory)
    .option('--json', 'print { queue, redriven, left } (without a queue: { queues }) and nothing else')
    .addHelpText(
      'after',
      '\nA message is deleted once its function or machine has taken it. What fails there again comes back to the queue, a\nfunction’s after three minutes at least. Everything may come twice without harm.',
    )
    .action((queue: string | undefined, options: Options) => interruptible((signal) => run(queue, options, signal)))

async function run(queue: string | undefined, { json, ...where }: Options, signal: AbortSignal): Promise<void> {
  const stack = await findStack(where)
  const say = (document: object, lines: readonly string[]) =>
    void process.stdout.write(json ? `${JSON.stringify(document, null, 2)}\n` : `${lines.join('\n')}\n`)
  if (queue === undefined) {
    const queues = await list(stack)
    return say({ queues }, toTable(queues))
  }
  const outcome = await empty(queue, stack, signal)
  if (outcome.left.length > 0) process.exitCode = 1
  say({ queue, ...outcome }, toLines(queue, outcome))
}

const list = ({ outputs, config }: StackAccess) => countMessages(deadLettersOf(outputs), config).catch(refuse)

const empty = (queue: string, { kind, outputs, config }: StackAccess, signal: AbortSignal) =>
  redrive(findDeadLetters(outputs, queue), { config, wait: LOOK_FOR[kind], signal }).catch(refuse)

function refuse(cause: Error): never {
  const words = isWithoutCredentials(cause) ? NO_CREDENTIALS : `The queue cannot be read: ${cause.message}`
  throw new Error(words, { cause })
}

const toTable = (queues: readonly WaitingMessages[]) =>
  columns([
    ['QUEUE', 'WAITING', 'BEING HANDLED'],
    ...queues.map(({ name, waiting, beingHandled }) => [name, String(waiting), String(beingHandled)]),
  ])

function toLines(queue: string, { redriven, left }: Redriven): string[] {
  if (redriven === 0 && left.length === 0) return [`Nothing waits in the queue of ${queue}.`]
  const taken = `${redriven} ${redriven === 1 ? 'message was' : 'messages were'} handed over.`
  if (left.length === 0) return [taken]
  const reasons = left.map(({ messageId, reason }) => [messageId, reason])
  return [
    taken,
    `${left.length} could not be, and ${left.length === 1 ? 'stays' : 'stay'} in the queue:`,
    ...columns(reasons),
  ]
}
