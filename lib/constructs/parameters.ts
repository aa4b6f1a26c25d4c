import { CfnParameter } from 'aws-cdk-lib'
import { Construct } from 'constructs'
import type { Settings } from './settings.ts'

/**
 * What differs between a deployment and a laptop, where addresses are known only at run time. Defaults come from the
 * settings, so that a deployment names none of them.
 */
export class Parameters extends Construct {
  readonly platformUrl: string
  readonly insightsUrl: string
  readonly tokenIssuer: string
  readonly uploadEndpoint: string
  readonly ffmpegPath: string
  readonly callbackReach: string

  constructor(scope: Construct, id: string, { platform, identity }: Settings) {
    super(scope, id)
    this.platformUrl = this.parameter('PlatformUrl', platform.url, 'Base URL of the video platform.')
    this.insightsUrl = this.parameter(
      'InsightsUrl',
      platform.insightsUrl ?? 'none',
      'URL of the platform’s Insights; none where nobody asks them.',
    )
    this.tokenIssuer = this.parameter('TokenIssuer', identity.issuer, 'OIDC issuer of the API’s tokens.')
    this.uploadEndpoint = this.parameter(
      'UploadEndpoint',
      'aws',
      'S3 endpoint the platform uploads to; aws for the standard one.',
    )
    this.ffmpegPath = this.parameter('FfmpegPath', '/opt/bin/ffmpeg', 'Where functions find ffmpeg.')
    this.callbackReach = this.parameter(
      'CallbackReach',
      'public',
      'Where callbacks may go: to https and public addresses, or anywhere.',
      ['public', 'anywhere'],
    )
  }

  private parameter(name: string, value: string, description: string, allowedValues?: string[]): string {
    const allowed = allowedValues && { allowedValues }
    const parameter = new CfnParameter(this, name, { default: value, description, ...allowed })
    parameter.overrideLogicalId(name)
    return parameter.valueAsString
  }
}
