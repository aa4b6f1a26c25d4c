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
  /** Megabytes. @default DEFAULT_MEMORY */
  readonly memory?: number
  /** Reserved concurrency; unbounded when absent. */
  readonly reservedConcurrency?: number | undefined
  readonly settings: Pick<Settings, 'stage' | 'architecture' | 'logs' | 'tracing'>
  readonly ffmpegLayer?: ILayerVersion | undefined
  readonly resources: StackResources
}

/** Share of a function's memory that ffmpeg gets: pictures and packets are there, and not in the heap. */
const FFMPEG_SHARE = 0.5
/** Share of the rest for the heap, as Lambda's runtime sets it; stacks, code and buffers get the remainder. */
const HEAP_SHARE = 0.9

/**
 * Returns Node's options for a function.
 *
 * A function that reads archives gets the smallest young generation: buffers are freed when it is collected, and with the
 * usual 16 MB too many wait for that and are promoted. A piece of HLS takes 190 MB instead of 265
 * (`npm run bench -- publish`).
 *
 * When NODE_OPTIONS sets one heap size, Lambda's runtime sets none, and V8 derives its limit from the machine: Lambda would kill
 * the process before a collection. So the limit is set as well. A function with ffmpeg also needs it, because the runtime does
 * not count ffmpeg's memory.
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

/** A Lambda function with its own role and log, and only the rights of its capabilities. */
export class ShowrunnerFunction extends Lambda {
  #deadLetters: DeadLetterQueue | undefined

  constructor(scope: Construct, id: string, props: ShowrunnerFunctionProps) {
    const {
      code,
      description,
      capabilities,
      timeout,
      memory = DEFAULT_MEMORY,
      reservedConcurrency,
      settings,
      ffmpegLayer,
      resources,
    } = props
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
      // Executions call the version that they started with, so a deployment does not change running ones. CDK publishes a
      // version when a property changes, CloudFormation when the description changes.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN, description: resources.parameters },
    })
    grantCapabilities(role, capabilities, resources)
    suppressWildcards(role, ['*'], 'X-Ray has no resources.')
  }

  /** The queue of asynchronous events that failed or could not be delivered. */
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
