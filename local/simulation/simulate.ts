import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { ShowResult } from '../../lib/workflow/documents/result.ts'
import type { ShowDocument } from '../../lib/workflow/show.ts'
import type { Assembly } from '../cloud/assembly.ts'
import { signByClock } from '../cloud/in-process-handler.ts'
import { createIssuer, type Issuer } from '../cloud/issuer.ts'
import type { FaultOrder } from '../sandbox/faults.ts'
import { addresses } from './addresses.ts'
import { type PostShowOptions, postShow } from './app.ts'
import { demoGuests, type Guest } from './guests.ts'
import { loadHandlers, type MakeHandler } from './handlers.ts'
import { createQuiet } from './quiet.ts'
import { awsSettings } from './services.ts'
import { createWorld, type World } from './world.ts'

export interface SimulateOptions {
  readonly assembly: Assembly
  readonly show: ShowDocument
  /** Decides every id, every jitter and the order of everything. */
  readonly seed: number
  /** Default: those of the demo. */
  readonly guests?: readonly Guest[]
  /** What the platform is ordered to do wrong; default: nothing. */
  readonly faults?: readonly FaultOrder[]
}

/** How a simulated show went. Two runs with one seed differ in `seconds` alone. */
export interface Simulation {
  readonly seed: number
  readonly showId: string
  /** Of the result; `unreported` when there is none. */
  readonly status: ShowResult['status'] | 'unreported'
  readonly result: ShowResult | null
  /** What is not simulated, with the reason. */
  readonly leftOut: Readonly<Record<string, string>>
  /** On the simulation's clock. */
  readonly virtualSeconds: number
  /** On this machine's clock. */
  readonly seconds: number
  /** Calls that the scheduler let happen, one by one. */
  readonly calls: number
  /** States entered, of all executions together. */
  readonly transitions: number
  /** Of all executions together. */
  readonly historyEvents: number
  readonly traceSha256: string
  readonly trace: readonly string[]
}

/** Publishing reads real media, and the simulation has none. */
const LEFT_OUT = { StartPublish: 'media is off, so there is nothing to publish' } as const

/** A simulation that could not be brought to its end; `trace` tells how far it came. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError'
  readonly trace: readonly string[]

  constructor(message: string, { cause, trace }: { cause: unknown; trace: readonly string[] }) {
    super(message, { cause })
    this.trace = [...trace]
  }
}

/** What every simulation of this process shares; none of it depends on a seed. */
let shared: Promise<{ handlers: ReadonlyMap<string, MakeHandler>; issuer: Issuer }> | undefined

async function prepare() {
  const [handlers, issuer] = await Promise.all([loadHandlers(), createIssuer(() => addresses.issuer), readSdkFiles()])
  return { handlers, issuer }
}

/** The AWS SDK reads this machine's configuration with its first call, and then no more: here, before time stands still. */
async function readSdkFiles(): Promise<void> {
  const nothing = async () => new Response(null, { status: 404 })
  const client = new S3Client(awsSettings(nothing, { accessKeyId: 'none', secretAccessKey: 'none' }))
  await client.send(new HeadObjectCommand({ Bucket: 'none', Key: 'none' })).catch(() => {})
}

/**
 * Runs a whole show: the real machines, handlers and sandbox in this process, without media, sockets or waiting.
 * @throws SimulationError when it cannot: the API refuses the show, or nothing happens any more
 */
export async function simulate(options: SimulateOptions): Promise<Simulation> {
  return simulateIn(options, async (_world, simulation) => simulation)
}

/** The same, and then `look` at the world as the show has left it; promises of that world need `scheduler.drive`. */
export async function simulateIn<T>(
  { assembly, show, seed, guests = demoGuests, faults = [] }: SimulateOptions,
  look: (world: World, simulation: Simulation) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  shared ??= prepare()
  const { handlers, issuer } = await shared
  const quiet = createQuiet()
  let world: World | undefined
  try {
    world = createWorld({ quiet, assembly, seed, guests, handlers, issuer, leftOut: LEFT_OUT })
    for (const fault of faults) world.sandbox.faults.order(fault)
    const { showId, result } = await runShow(world, { assembly, show, issuer, key: `seed ${seed}` })
    const { scheduler, executions, trace } = world
    return await look(world, {
      seed,
      showId,
      status: result?.status ?? 'unreported',
      result: result ?? null,
      leftOut: LEFT_OUT,
      virtualSeconds: trace.seconds(),
      seconds: (performance.now() - began) / 1000,
      calls: scheduler.calls,
      transitions: executions.transitions,
      historyEvents: executions.historyEvents,
      traceSha256: trace.sha256(),
      trace: [...trace.lines],
    })
  } finally {
    world?.close()
    quiet.close()
  }
}

/** Posts the show and follows it to its end. */
function runShow(world: World, order: Omit<PostShowOptions, 'now'>) {
  const run = async () => {
    await putProjectSecret(world)
    const showId = await postShow(world.app, { ...order, now: world.clock.now() })
    return { showId, result: await resultOf(world, showId) }
  }
  return world.scheduler.drive(run).catch((cause: Error) => {
    throw new SimulationError(cause.message, { cause, trace: world.trace.lines })
  })
}

/** Waits until the show's execution has ended and everything it set off has come to rest. */
async function resultOf({ cloud, sandbox, observer, until }: World, showId: string): Promise<ShowResult | undefined> {
  const executionArn = `${observer.variable('SHOW_MACHINE').replace(':stateMachine:', ':execution:')}:${showId}`
  await until(() => cloud.stepFunctions.describeExecution({ executionArn }).status !== 'RUNNING')
  await cloud.settled()
  await sandbox.settled()
  return observer.records.readResult(showId)
}

/** What whoever deploys does once by hand. */
async function putProjectSecret({ cloud, sandbox, clock }: World): Promise<void> {
  const client = new SecretsManagerClient(awsSettings(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  const SecretId = cloud.outputs.ProjectSecretArn
  await client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(sandbox.project) }))
}
