import type { Clock } from '../../lib/clock.ts'
import type { Assembly } from './assembly.ts'
import { openBuckets } from './buckets.ts'
import { createJsonService } from './endpoint/aws-json.ts'
import { createEndpoint } from './endpoint/endpoint.ts'
import { createSignatureCheck } from './endpoint/signed-requests.ts'
import { createEventTargets } from './events/event-targets.ts'
import { type BusEvent, createEventBuses } from './events/events.ts'
import { createOperatorRules } from './events/operator-rules.ts'
import { startScheduledRules } from './events/rules.ts'
import type { Invoke } from './functions/function.ts'
import { createInvocations } from './functions/invocations.ts'
import { createInvokeEndpoint } from './functions/invoke-endpoint.ts'
import { toLogLine } from './http/access-log.ts'
import { createHttpApi } from './http/http-api.ts'
import { createIamAccessKeys } from './iam/access-keys.ts'
import { createIamEndpoint } from './iam/iam-endpoint.ts'
import { ACCOUNT, REGION } from './intrinsics.ts'
import { createQueueEndpoint } from './queues/queue-endpoint.ts'
import { createQueues } from './queues/queues.ts'
import { createScheduler } from './schedules/scheduler.ts'
import { createSchedulerEndpoint } from './schedules/scheduler-endpoint.ts'
import { createSecretsManager } from './secrets/secrets.ts'
import type { CustomResource } from './stack/custom-resource.ts'
import { createPublishedVersions } from './stack/publications.ts'
import { refuseOtherChanges } from './stack/refuse-other-changes.ts'
import { refuseUnknown } from './stack/refuse-unknown.ts'
import { loadStack } from './stack/stack.ts'
import { orAbort } from './states/execution/abort.ts'
import { createStepFunctions } from './states/step-functions.ts'

export interface CloudOptions {
  readonly assembly: Assembly
  /** Values of the template’s parameters. @default those of the template */
  readonly parameters: Readonly<Record<string, string>>
  /** URL of the stack’s HTTP API. */
  readonly apiUrl: string
  /** URL of the AWS endpoint, with which the addresses of queues begin. */
  readonly awsUrl?: string
  /** Returns true for an object that may be read without a signature, as through a CDN. @default none */
  readonly isPublic?: ((key: string) => boolean) | undefined
  /** Directory of objects, secrets, schedules, messages and access keys. @default in memory */
  readonly directory?: string
  /** The deployed custom resources of the template, all of them, by logical id. */
  readonly customResources?: Readonly<Record<string, CustomResource>>
  readonly clock: Clock
  /** Returns hexadecimal digits for ids and generated keys. Seeded in the simulation. */
  readonly randomHex: (digits: number) => string
  /** Returns a number in [0, 1) for the jitter of retries. */
  readonly random: () => number
  /** Runs functions: bundles in workers, or the handlers themselves in one process. */
  readonly invoke: Invoke
  /** Fetches the keys of token issuers. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * Called when an asynchronous invocation has failed permanently, or an event could not start an execution, even if a
   * queue received the event.
   */
  readonly onLost?: (name: string, error: Error) => void
  /** Number of finished executions that are kept. @default 1,000 */
  readonly maxFinished?: number | undefined
  /** Called after each event of an execution’s history. @default nothing is called */
  readonly onHistoryEvent?: (executionArn: string) => void
  /** Called before a task starts an execution of a machine. An AwsError that it throws refuses the start. @default nothing is called */
  readonly beforeChild?: (stateMachineArn: string) => void
  /** Receives each line of the HTTP API's access log, where the template sets a format. */
  readonly onAccess?: (line: string) => void
  /** Delivers each event to each matching rule: late or twice in the simulation. @default at once, once */
  readonly deliverEvent?: (event: BusEvent, deliver: () => void) => void
}

/** A cloud that answers requests, and whose schedules and rotations are not started. */
export type WiredCloud = ReturnType<typeof wireCloud>

export const DEFAULT_AWS_URL = 'http://aws.invalid'

/** Creates the services of a cloud and connects them. @throws Error naming what of the assembly is not supported */
export function wireCloud(options: CloudOptions) {
  const { parameters, apiUrl, directory, clock, randomHex, random } = options
  const { awsUrl = DEFAULT_AWS_URL, customResources = {}, deliverEvent = (_event, deliver) => deliver() } = options
  refuseUnknown(options.assembly.template)
  const newId = () => toUuid(randomHex(32))

  const keys = createIamAccessKeys({ directory, randomHex, now: clock.now })
  const secrets = createSecretsManager(directory, newId, {
    clock,
    invoke: (arn, event) => invocations.invoke(arn, event),
    ...(options.onLost && { onLost: options.onLost }),
  })
  const events = createEventBuses({ now: clock.now, newId })
  const surroundings = {
    secrets,
    keys,
    customResources,
    randomHex,
    apiUrl,
    awsUrl,
    publications: createPublishedVersions(),
  }
  const load = (assembly: Assembly) => ({ assembly, stack: loadStack(assembly, parameters, surroundings) })
  let current = load(options.assembly)
  const { stack } = current // only functions and machines change in later deployments
  const queues = createQueues({ queues: stack.queues, directory, clock, newId })
  const operatorRules = createOperatorRules({ events, queues })
  const invocations = createInvocations({ ...options, newId, queues })
  const stepFunctions = createStepFunctions({
    clock,
    random,
    region: REGION,
    account: ACCOUNT,
    // A function that a state no longer awaits keeps running, as on AWS.
    invoke: (arn, payload, signal) => orAbort(invocations.invoke(arn, payload), signal),
    onHistoryEvent: options.onHistoryEvent,
    beforeChild: options.beforeChild,
    maxFinished: options.maxFinished,
    putEvents: async (request) => events.putEvents(request),
    onStatusChange(detail) {
      const resources = [detail.executionArn]
      events.put({ source: 'aws.states', 'detail-type': 'Step Functions Execution Status Change', resources, detail })
    },
  })
  const run = (loaded: typeof current) => {
    stepFunctions.addMachine(...loaded.stack.machines)
    invocations.deploy(loaded.stack)
    current = loaded
  }
  run(current)

  for (const name of stack.buses) events.addBus(name)
  const deliveries = createEventTargets({ ...options, invocations, stepFunctions, queues, newId })
  const rules = stack.rules.map(({ targets, ...rule }) => ({ ...rule, deliver: deliveries.to(rule.arn, targets) }))
  for (const { bus, pattern, deliver } of rules)
    if (pattern) events.addRule({ bus, pattern, deliver: (event) => deliverEvent(event, () => deliver(event)) })

  const { scheduleGroups: groups } = stack
  const { invokeLater } = invocations
  const scheduler = createScheduler({
    directory,
    clock,
    newId,
    groups,
    isFunction: (arn) => current.stack.isFunction(arn),
    invokeLater,
    queues,
    onLost: options.onLost,
  })

  const api = createHttpApi({
    routes: stack.routes.map(({ functionArn, ...route }) => ({
      ...route,
      invoke: (event, requestId) => invocations.invoke(functionArn, event, requestId),
    })),
    cors: stack.cors,
    clock,
    newId,
    fetch: options.fetch ?? globalThis.fetch,
    onAccess: (facts) => {
      if (stack.accessLogFormat) options.onAccess?.(toLogLine(stack.accessLogFormat, facts))
    },
  })
  const s3 = openBuckets(stack.buckets, {
    directory,
    clock,
    secretOf: keys.secretOf,
    isPublic: options.isPublic,
    events,
  })
  const aws = createEndpoint({
    s3: s3.fetch,
    checkSignature: createSignatureCheck({ now: clock.now, region: REGION, secretOf: keys.secretOf }),
    services: [
      { name: 'states', target: 'AWSStepFunctions', fetch: stepFunctions.fetch },
      { name: 'secretsmanager', target: 'secretsmanager', fetch: secrets.fetch },
      { name: 'events', target: 'AWSEvents', fetch: createJsonService({ ...events.operations, ...operatorRules }) },
      { name: 'sqs', target: 'AmazonSQS', fetch: createQueueEndpoint(queues, awsUrl) },
      {
        name: 'lambda',
        fetch: createInvokeEndpoint({
          functions: () => current.stack.functions,
          invoke: invocations.invoke,
          invokeLater,
        }),
      },
      { name: 'scheduler', fetch: createSchedulerEndpoint(scheduler) },
      { name: 'iam', ...createIamEndpoint({ users: stack.users, policiesOf: stack.policiesOf, keys, newId }) },
    ],
  })

  let scheduledRules: { close(): void } | undefined
  return {
    /** The stack of the last deployment. */
    get stack() {
      return current.stack
    },
    /** Handles requests to any AWS service, as the server behind `AWS_ENDPOINT_URL`. */
    aws,
    /** Handles requests to the stack’s HTTP API. */
    api,
    stepFunctions,
    events,
    invocations,
    s3,
    secrets,
    keys,
    scheduler,
    /** An access key that the cloud accepts. */
    credentials: keys.make('deployer'),
    /**
     * Deploys changed functions and state machines. Running executions keep their definition and its versions, with their
     * bundles, as long as the folder of the former assembly exists. New executions use the new ones.
     * @throws Error naming what of the assembly is not supported, or cannot change while the cloud runs
     */
    deploy(assembly: Assembly) {
      refuseUnknown(assembly.template)
      refuseOtherChanges(current.assembly.template, assembly.template)
      run(load(assembly))
    },
    /** Starts schedules, scheduled rules and rotations. */
    start() {
      scheduler.start()
      secrets.startRotations(stack.rotations)
      scheduledRules = startScheduledRules(rules, { clock, newId })
    },
    /** Resolves when no event is being delivered and no secret rotated. */
    async settled() {
      await invocations.settled()
      await secrets.settled()
    },
    /** Aborts executions and closes the stores. Running functions are not awaited. */
    async close() {
      scheduler.close()
      secrets.close()
      scheduledRules?.close()
      deliveries.close()
      invocations.close()
      await stepFunctions.close()
      s3.close()
    },
  }
}

const toUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
