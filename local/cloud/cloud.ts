import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { Assembly } from './assembly.ts'
import { createEvents, type Events } from './events.ts'
import type { FunctionSpec, Invoke } from './functions/function.ts'
import { createInvocations, type Invocations } from './functions/invocations.ts'
import { createHttpApi } from './http-api.ts'
import { ACCOUNT, REGION } from './intrinsics.ts'
import { refuseUnknown } from './known-resources.ts'
import { createS3 } from './s3/s3.ts'
import { createSecrets } from './secrets.ts'
import { loadStack, type Stack } from './stack.ts'
import type { StepFunctions } from './states/operations.ts'
import { createStepFunctions } from './states/step-functions.ts'

export interface CloudOptions {
  readonly assembly: Assembly
  /** Values of the template's parameters; its defaults for the rest. */
  readonly parameters: Readonly<Record<string, string>>
  /** Where objects and secrets are kept; absent: in memory. */
  readonly directory?: string
  readonly clock: Clock
  /** Hexadecimal digits of ids and of made-up keys: seeded in the simulation. */
  readonly randomHex: (digits: number) => string
  /** 0 to 1: jitter of retries. */
  readonly random: () => number
  /** Runs functions: bundles in workers, or the handlers themselves in one process. */
  readonly invoke: Invoke
  /** How an issuer's keys are fetched. */
  readonly fetch?: typeof globalThis.fetch
  /** Told when an asynchronous invocation has failed for good. */
  readonly onLost?: (functionName: string, error: Error) => void
}

/** AWS on a laptop: runs one synthesized assembly, with no socket of its own. */
export interface Cloud {
  /** The endpoint of every AWS service: what `AWS_ENDPOINT_URL` names. */
  aws(request: Request): Promise<Response>
  /** The stack's HTTP API. */
  api(request: Request): Promise<Response>
  readonly stepFunctions: StepFunctions
  readonly events: Events
  readonly functions: readonly FunctionSpec[]
  /** The stack's outputs by name. */
  readonly outputs: Readonly<Record<string, string>>
  /** A key with which the AWS SDK is let in. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Resolves once no event is being delivered. */
  settled(): Promise<void>
  /** Aborts what runs and closes the stores. */
  close(): Promise<void>
}

/** @throws Error naming what of the assembly cannot be run on a laptop */
export function createCloud(options: CloudOptions): Cloud {
  const { assembly, parameters, directory, clock, randomHex, random } = options
  refuseUnknown(assembly.template)
  if (directory) mkdirSync(directory, { recursive: true })
  const newId = () => toUuid(randomHex(32))

  const secrets = createSecrets(directory, newId)
  const keys = createAccessKeys(secrets, randomHex)
  const s3 = createS3({
    clock,
    region: REGION,
    secretOf: keys.secretOf,
    ...(directory && { directory: join(directory, 's3') }),
  })
  const events = createEvents({ now: clock.now, newId })
  const stack = loadStack(assembly, parameters, { secrets, keys, randomHex })
  const invocations = createInvocations({ ...options, newId, functions: stack.functions })
  const stepFunctions = createStepFunctions({
    clock,
    random,
    region: REGION,
    account: ACCOUNT,
    invoke: (arn, payload) => invocations.invoke(arn, payload),
  })

  for (const { name, announces } of stack.buckets) {
    s3.createBucket(name)
    if (!announces) continue
    s3.onObjectCreated(({ bucket, detail }) => {
      const resources = [`arn:aws:s3:::${bucket}`]
      if (bucket === name) events.put({ source: 'aws.s3', 'detail-type': 'Object Created', resources, detail })
    })
  }
  for (const machine of stack.machines) stepFunctions.addMachine(machine)
  connectRules(stack, events, invocations)

  const api = createHttpApi({
    routes: stack.routes.map(({ functionArn, ...route }) => ({
      ...route,
      invoke: (event) => invocations.invoke(functionArn, event),
    })),
    now: clock.now,
    newId,
    fetch: options.fetch ?? globalThis.fetch,
  })
  const services: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
    AWSStepFunctions: stepFunctions.fetch,
    secretsmanager: secrets.fetch,
    AWSEvents: events.fetch,
  }

  return {
    async aws(request) {
      const service = request.headers.get('x-amz-target')?.split('.')[0]
      return (services[service ?? ''] ?? s3.fetch)(request)
    },
    api,
    stepFunctions,
    events,
    functions: stack.functions,
    outputs: stack.outputs,
    credentials: keys.deployer,
    settled: invocations.settled,
    async close() {
      invocations.close()
      await stepFunctions.close()
      s3.close()
    },
  }
}

function connectRules(stack: Stack, events: Events, invocations: Invocations): void {
  for (const { pattern, functionArns } of stack.rules)
    events.addRule({
      pattern,
      deliver: (event) => {
        for (const arn of functionArns) invocations.invokeLater(arn, event)
      },
    })
}

/** Access keys by name; kept like the secrets they are. */
function createAccessKeys(secrets: ReturnType<typeof createSecrets>, randomHex: (digits: number) => string) {
  const known = new Map<string, string>()
  const make = (name: string) => {
    const made = { accessKeyId: `AKIA${randomHex(16).toUpperCase()}`, secretAccessKey: randomHex(40) }
    const { accessKeyId, secretAccessKey } = JSON.parse(secrets.keep(`laptop/access-key/${name}`, JSON.stringify(made)))
    known.set(accessKeyId, secretAccessKey)
    return { accessKeyId, secretAccessKey } as { accessKeyId: string; secretAccessKey: string }
  }
  return { make, secretOf: (accessKeyId: string) => known.get(accessKeyId), deployer: make('deployer') }
}

const toUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
