import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Architecture, Code, type ILayerVersion, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { Need } from '../workflow/environment.ts'
import { DEFAULT_MEMORY } from '../workflow/tasks/task.ts'
import { grantNeeds, type Surroundings, variablesOf } from './reach.ts'

export interface ShowrunnerFunctionProps {
  /** Folder of the bundled code. */
  readonly code: string
  readonly description: string
  readonly needs: readonly Need[]
  /** Seconds. */
  readonly timeout: number
  /** Megabytes; DEFAULT_MEMORY unless given. */
  readonly memory?: number
  readonly architecture: 'x86_64' | 'arm64'
  readonly ffmpegLayer?: ILayerVersion | undefined
  readonly surroundings: Surroundings
}

/** One Lambda, given just what it needs. */
export class ShowrunnerFunction extends Lambda {
  constructor(scope: Construct, id: string, props: ShowrunnerFunctionProps) {
    const {
      code,
      description,
      needs,
      timeout,
      memory = DEFAULT_MEMORY,
      architecture,
      ffmpegLayer,
      surroundings,
    } = props
    super(scope, id, {
      code: Code.fromAsset(code),
      handler: 'index.handler',
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: architecture === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      timeout: Duration.seconds(timeout),
      memorySize: memory,
      environment: { ...variablesOf(needs, surroundings), NODE_OPTIONS: '--enable-source-maps' },
      layers: needs.includes('ffmpeg') && ffmpegLayer ? [ffmpegLayer] : [],
      // An execution names the version it started with, so that a deployment does not change it under way.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    })
    grantNeeds(this, needs, surroundings)
  }
}
