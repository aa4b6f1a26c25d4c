import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Code,
  type ILayerVersion,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { Capability } from '../tasks/environment.ts'
import { serviceOf } from '../tasks/metrics.ts'
import { DEFAULT_MEMORY } from '../tasks/task.ts'
import { grantCapabilities, type StackResources, variablesOf } from './access/grants.ts'
import { suppressWildcards } from './access/nag-suppressions.ts'
import { DeadLetterQueue } from './dead-letter-queue.ts'
import type { Settings } from './deploy/settings.ts'
import { Log } from './log.ts'

export interface ShowrunnerFunctionProps {
  /** Folder of the bundled code. */
  readonly code: string
  readonly description: string
  readonly capabilities: readonly Capability[]
  /** Seconds. */
  readonly timeout: number
  /** Megabytes; DEFAULT_MEMORY unless given. */
  readonly memory?: number
  /** How many may run at once, which the account keeps free for it; without a bound when absent. */
  readonly reservedConcurrency?: number | undefined
  readonly settings: Pick<Settings, 'stage' | 'architecture' | 'logs' | 'tracing'>
  readonly ffmpegLayer?: ILayerVersion | undefined
  readonly resources: StackResources
}

/** Of the memory of a function that runs ffmpeg, what is left to it: pictures and packets are there, and not in the heap. */
const FFMPEG_SHARE = 0.5
/** Of the rest, what Lambda's own runtime gives to the heap; stacks, code and buffers outside it take what remains. */
const HEAP_SHARE = 0.9

/**
 * Returns Node's options for a function.
 *
 * A function that reads archives has the smallest nursery there is: buffers of what was read are freed when it is gone through,
 * and in one of the usual 16 MB too many wait for that, grow old and take a collection of everything. A piece of HLS takes
 * 190 MB instead of 265 (`npm run bench -- publish`).
 *
 * Once NODE_OPTIONS names one size of the heap, Lambda's runtime sets none, and V8 would take its limit from the machine: it
 * would not collect before Lambda ends the process. So the limit is named as well, and where ffmpeg shares the memory, also
 * because the runtime does not know of it.
 */
export function nodeOptionsFor(capabilities: readonly Capability[], memory: number): string {
  const reads = capabilities.includes('archives')
  const encodes = capabilities.includes('ffmpeg')
  const heap = Math.floor(HEAP_SHARE * memory * (encodes ? 1 - FFMPEG_SHARE : 1))
  return [
    '--enable-source-maps',
    ...(reads ? ['--max-semi-space-size=1'] : []),
    ...(reads || encodes ? [`--max-old-space-size=${heap}`] : []),
  ].join(' ')
}

/**
 * Returns the level of Lambda's own filter. Metrics are lines without a level, which Lambda takes for INFO and drops above it
 * (Lambda developer guide, "Log-level filtering"). So the logger applies WARN and ERROR itself.
 */
const filterLevelFor = (level: Settings['logs']['level']) =>
  level === 'DEBUG' ? ApplicationLogLevel.DEBUG : ApplicationLogLevel.INFO

/** One Lambda with a role and a log of its own, given just what it needs. */
export class ShowrunnerFunction extends Lambda {
  #deadLetters: DeadLetterQueue | undefined

  constructor(scope: Construct, id: string, props: ShowrunnerFunctionProps) {
    const {
      code,
      description,
      capabilities,
      timeout,
      memory = DEFAULT_MEMORY,
      settings,
      ffmpegLayer,
      resources,
    } = props
    const { reservedConcurrency } = props
    const { stage, architecture, logs, tracing } = settings
    const role = new Role(scope, `${id}ServiceRole`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    const logGroup = new Log(scope, `${id}Log`, { logGroupName: `/showrunner/${stage}/${id}`, days: logs.days })
    logGroup.grantWrite(role)
    super(scope, id, {
      code: Code.fromAsset(code),
      handler: 'index.handler',
      description,
      role,
      runtime: Runtime.NODEJS_24_X,
      architecture: architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      timeout: Duration.seconds(timeout),
      memorySize: memory,
      ...(reservedConcurrency && { reservedConcurrentExecutions: reservedConcurrency }),
      environment: {
        ...variablesOf(capabilities, resources),
        NODE_OPTIONS: nodeOptionsFor(capabilities, memory),
        POWERTOOLS_SERVICE_NAME: serviceOf(stage),
        POWERTOOLS_LOG_LEVEL: logs.level,
      },
      layers: capabilities.includes('ffmpeg') && ffmpegLayer ? [ffmpegLayer] : [],
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: filterLevelFor(logs.level),
      tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      // An execution names the version it started with, so that a deployment does not change it under way. CDK publishes
      // another version when a property changes, CloudFormation when the description does.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN, description: resources.parameters },
    })
    grantCapabilities(role, capabilities, resources)
    suppressWildcards(role, ['*'], 'X-Ray, which is told of every call, knows no resources.')
  }

  /** Where events go that it was called with asynchronously and gave up, and those that did not reach it. */
  get deadLetters(): DeadLetterQueue {
    if (this.#deadLetters) return this.#deadLetters
    const queue = new DeadLetterQueue(this, 'DeadLetters', { target: this.functionArn })
    this.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }))
    const resource = this.node.defaultChild as CfnFunction
    resource.deadLetterConfig = { targetArn: queue.queueArn }
    this.#deadLetters = queue
    return queue
  }
}
